import { AGENT_LIMITS } from "#lib/contract/limits/agent-limits";
import { BREAKER_LIMITS } from "#lib/contract/limits/breaker-limits";
import { CATALOG_LIMITS } from "#lib/contract/limits/catalog-limits";
import { CODE_LIMITS } from "#lib/contract/limits/code-limits";
import { DOCUMENT_LIMITS } from "#lib/contract/limits/document-limits";
import { FAILURE_LIMITS } from "#lib/contract/limits/failure-limits";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";
import { MAIL_LIMITS } from "#lib/contract/limits/mail-limits";
import { MCP_LIMITS } from "#lib/contract/limits/mcp-limits";
import { WAIT_LIMITS } from "#lib/contract/limits/wait-limits";
import { WARNING_LIMITS } from "#lib/contract/limits/warning-limits";
import { WEBHOOK_LIMITS } from "#lib/contract/limits/webhook-limits";
import { WORKER_LIMITS } from "#lib/contract/limits/worker-limits";

/**
 * Every number that the product promises or enforces, with the section it comes from. "contract" is docs/contract.md;
 * "decisions" is docs/decisions. Sizes are bytes and durations milliseconds unless the name says otherwise.
 */
export const LIMITS = {
  ...LIST_LIMITS,
  ...AGENT_LIMITS,
  ...CATALOG_LIMITS,
  ...DOCUMENT_LIMITS,
  ...FAILURE_LIMITS,
  ...WORKER_LIMITS,
  ...WAIT_LIMITS,
  ...WARNING_LIMITS,
  ...CODE_LIMITS,
  ...WEBHOOK_LIMITS,
  ...MCP_LIMITS,
  /** contract, Limits: sliding window of the request rate. */
  rateWindowSeconds: 60,
  /** contract, Limits: runs per user per sliding hour. */
  runsPerUserPerHour: 100,
  /**
   * decisions, Runs: how many of these runs events may start. A schedule that fires every minute takes 60; the rest of the
   * hour stays free for the user's own calls.
   */
  eventRunsPerUserPerHour: 80,
  /** contract, Limits: one attempt of one step. */
  stepTimeoutMs: 30_000,
  /** contract, Limits: the running time of a whole run. */
  pipelineTimeoutMs: 300_000,
  /** contract, Limits: an approval request. */
  approvalExpiryMs: 3_600_000,
  /** contract, Limits: schedule trigger, interval mode. */
  intervalSecondsMin: 60,
  intervalSecondsMax: 86_400,
  /** decisions, Schedules: a fire that is later than this is skipped. */
  scheduleLatenessMs: 3_600_000,
  /** decisions, Inbound webhooks: how long a delivery id is remembered. */
  deliveryIdHours: 24,
  /** decisions, Inbound webhooks: the secret of a trigger, before it is encrypted. A public key of RSA has up to 800. */
  webhookSecretCharacters: 4_000,
  /** decisions, Inbound webhooks: the delivery log. */
  deliveryLogDays: 7,
  refusedDeliveriesPerMinute: 100,
  /** contract, Redaction. */
  sanitizerDepth: 10,
  ...BREAKER_LIMITS,
  /**
   * decisions, Connector events: the elements of a Kommo list that a trigger watches. Its cursor holds the id and time of
   * each, about 1 MiB, and 200 pages take less than the two minutes between readings.
   */
  watchedListElements: 50_000,
  ...MAIL_LIMITS,
  /** decisions, Size limits. */
  bodyBytes: 1_048_576,
  stepOutputBytes: 1_048_576,
  runOutputBytes: 10_485_760,
  jsonDepth: 32,
  /**
   * decisions, Budgets: values and names in a JSON text from outside. 200,000 take up to 20 MB, and 10 ms of CPU time
   * if their names repeat.
   */
  jsonElements: 200_000,
  /** decisions, Budgets: different names in it. Each takes up to 1 µs: 94,000 fit into 1 MiB and took 50 ms to parse. */
  jsonNames: 20_000,
  /**
   * decisions, Budgets: JSON that a web process parses and sanitizes itself. 1 MiB in its worst shape takes 140 ms, so
   * this takes 35 ms. Larger events are read in a child process.
   */
  inlineJsonBytes: 262_144,
  /**
   * decisions, The HTTP edge: a client that sends slowly holds a connection. The headers arrive in one packet, and a body
   * of bodyBytes needs 35 KB/s. Node checks its connections every arrivalCheckMs.
   */
  requestHeadersMs: 10_000,
  requestArrivalMs: 30_000,
  arrivalCheckMs: 2_000,
  /** decisions, The HTTP edge: no client of ours sends a tenth of it, and each header costs more than its characters. */
  requestHeaders: 500,
  /** decisions, The HTTP edge: how long the rest of a body is read and dropped after the answer. */
  unreadBodyMs: 5_000,
  /**
   * decisions, The HTTP edge: request bodies that have not arrived completely, in one process. 64 of the largest; the
   * bodies of calls are a thousand times smaller.
   */
  arrivingBodiesBytes: 67_108_864,
  /** decisions, The HTTP edge: what is read of an MCP message whose key is invalid, to find the id to answer. */
  refusedBodyBytes: 65_536,
  /**
   * decisions, The HTTP edge: requests with an invalid key from one source, before its lookups share a connection. An
   * agent with a revoked key polls once a second; a search for keys would need 10^57 requests.
   */
  failedKeysBurst: 300,
  failedKeysPerMinute: 60,
  /** decisions, The HTTP edge: one sign-in is one or two requests, and an office has one address. */
  signInRequestsBurst: 120,
  signInRequestsPerMinute: 60,
  /**
   * decisions, The HTTP edge: genuine deliveries to one webhook address, and others of one source; twice as many at once.
   * Runs have lower limits.
   */
  webhookRequestsPerMinute: 600,
  /** decisions, The HTTP edge: open connections of one source. A browser opens six; an office has one address. */
  connectionsPerSource: 1_000,
  /** decisions, The HTTP edge: open pages of one user, each with an event stream, in one process. */
  streamsPerUser: 50,
  graphNodes: 200,
  graphEdges: 400,
  /**
   * decisions, Budgets: what the operations of one update may read of the workflow. Renaming a node reads all of it; 16
   * MiB take up to 0.5 s.
   */
  graphEditBytes: 16_777_216,
  /**
   * decisions, Budgets: code and JSONata that one check of a definition parses. 32 Ki characters take up to 40 ms of CPU
   * time; what comes after them is not parsed. A "<" counts as 60 characters, because it may open a list of types.
   */
  checkedProgramCharacters: 32_768,
  /** decisions, Budgets: a draft, however it was put together. One request can send as much. */
  definitionBytes: 1_048_576,
  /**
   * decisions, Secrets in definitions: the characters that the mask of a run looks for. 16,384 are a private key of 4,096
   * bits or 400 other secrets, and take 1 MB of memory.
   */
  maskedCharacters: 16_384,
  inputProperties: 50,
  /** decisions, Canvas: notes next to the steps; sizes in CSS pixels. */
  canvasNotes: 50,
  noteCharacters: 2_000,
  noteSizeMin: 80,
  noteSizeMax: 1_200,
  loopIterations: 1_000,
  loopConcurrency: 10,
  /**
   * decisions, Budgets: steps of a run, with those of every iteration. A pure step takes 0.2 ms of a worker and 0.5 KB of
   * the journal, so the longest run takes 4 s and its timeline 10 MB.
   */
  runSteps: 20_000,
  /**
   * decisions, Budgets: what the journal of a run stores, as JSON. Outputs have 10 MiB; the rest is for inputs, which
   * repeat them. A workspace with 100 runs an hour stores at most 6.4 GB an hour.
   */
  journalBytes: 67_108_864,
  /** decisions, Budgets: payloads that a run gathers before they are written. A statement with 4 MiB takes 0.1 s. */
  journalGatherBytes: 4_194_304,
  /**
   * decisions, Budgets: one statement that writes or opens several runs; a larger run is sent alone. By count only, 50 runs
   * of 4 MiB were one statement of 200 MiB, in the worker and again in PostgreSQL.
   */
  journalStatementBytes: 8_388_608,
  subWorkflowDepth: 10,
  /** decisions, Run steps: larger payloads are cut in `steps` and marked `truncated`. */
  stepPayloadBytes: 65_536,
  /**
   * decisions, Reading runs: the steps of one answer. 2,000 without payloads are 0.8 MB.
   */
  stepsPageSize: 2_000,
  /**
   * decisions, Reading runs: the payloads that one read of a run loads, and one page of runs with their steps. A process
   * parses, presents and serializes 1 MiB in turns of at most 50 ms. A larger payload is read alone.
   */
  timelineBytes: 1_048_576,
  /** decisions, Reading runs: events of one answer, a start and an end for each of its steps. */
  timelineEvents: 4_000,
  /** decisions, Correlation and idempotency. */
  idempotencyKeyHours: 24,
  /** decisions, Batches: runs that one call starts. A full batch takes 23 ms of CPU, web and PostgreSQL together. */
  batchRuns: 100,
  /**
   * decisions, Batches: batches that one web process writes at once, and those of one key. Each takes a connection of the
   * twelve; the others are left for single calls.
   */
  batchesAtOnce: 4,
  batchesPerKey: 2,
  /** decisions, Batches: batches of a key that wait for their turn. Each holds up to bodyBytes of JSON. */
  batchesWaitingPerKey: 10,
  /** decisions, Approvals. */
  commentCharacters: 2_000,
  /** decisions, Workspaces. */
  inviteDays: 7,
  openInvites: 100,
  inviteMailsPerDay: 200,
  inviteMailsPerAddressPerDay: 3,
  /** decisions, Accounts: how long the emailed link works that sets a new password, and how many a person gets in a day. */
  passwordResetMinutes: 60,
  passwordResetMailsPerDay: 5,
  ownedWorkspaces: 10,
  /** decisions, Single sign-on. */
  ssoGroups: 100,
  ssoEmailDomains: 20,
  /** decisions, Budgets: the instructions of a compiled pattern. 3,000 compile in at most 40 ms. */
  patternSize: 3_000,
  patternCharacters: 1_000,
  /**
   * decisions, Budgets: the patterns of a definition together. 8,000 instructions compile in at most 60 ms, and 200
   * steps with an ordinary pattern each have 6,000.
   */
  definitionPatternSize: 8_000,
  /**
   * decisions, Budgets: pattern size times text length, for one step or one item of a filter. 5,000,000 take 0.25 s in
   * the worst case measured. `patternInlineWork` takes 26 ms, so it can run on a shared event loop.
   */
  patternWork: 5_000_000,
  patternInlineWork: 500_000,
  /** decisions, Budgets: compiled patterns that a process keeps. */
  patternCacheBytes: 16_777_216,
  /** decisions, Accounts: failed attempts at an account before it waits, and of one source. */
  signInFailures: 10,
  sourceFailures: 50,
  /** decisions, Accounts: the first wait. It doubles with every failure, up to the longest. */
  signInFirstWaitSeconds: 60,
  signInLongestWaitSeconds: 3_600,
  sourceLongestWaitSeconds: 900,
  /** decisions, Accounts: one failure is forgotten in this time. 20 s allow 50 failures in the longest wait of a source. */
  signInForgetSeconds: 3_600,
  sourceForgetSeconds: 20,
  /**
   * decisions, Accounts: how often admins can unlock a member before they have to wait, as after failed sign-ins. At the
   * end an admin unlocks a member once a day.
   */
  memberUnlocks: 3,
  unlockLongestWaitSeconds: 86_400,
  unlockForgetSeconds: 86_400,
  /** decisions, Accounts: how long a browser stays known after a sign-in. */
  knownDeviceDays: 365,
  /** decisions, Accounts: each works once, in place of a second factor that was lost. */
  recoveryCodes: 10,
  /** decisions, Accounts: the page lists them all, and a sign-in names them all to the browser. */
  passkeysPerUser: 20,
  /** decisions, Accounts: a session ends then, however often it is used. */
  sessionDays: 7,
  /**
   * decisions, Accounts: stored sessions of a person. Each sign-in stores one for a week; the account page lists them all.
   */
  sessionsPerUser: 50,
  /** decisions, Accounts: how long a proof of identity allows changes to the account's security. */
  recentSignInMinutes: 10,
  /**
   * decisions, Budgets: expressions in the templates of one step, and in a whole workflow. 20,000 are parsed in 70 ms and
   * resolved in 10 ms.
   */
  expressions: 20_000,
  /** decisions, Budgets: values and functions in one expression, and how deep functions are nested. */
  expressionNodes: 100,
  expressionDepth: 10,
  templateCacheBytes: 4_194_304,
  /**
   * decisions, Budgets: definitions, compiled plans and operations of custom connectors that a process keeps, as JSON each.
   * In memory they take three times as much. 500 ordinary workflows have 5 MB.
   */
  definitionCacheBytes: 33_554_432,
  /** decisions, Budgets: input schemas whose validators a process keeps, as JSON. A validator takes ten times as much. */
  schemaCacheBytes: 2_097_152,
  /**
   * decisions, Budgets: one job on untrusted data in a process of its own. The largest allowed takes 0.25 s; a busy
   * machine takes ten times as long.
   */
  computeJobMs: 5_000,
  /** decisions, Budgets: the jobs of a workspace that wait for their turn. */
  computeQueuedJobs: 100,
  computeQueuedBytes: 16_777_216,
  /** decisions, Retention: the range that a workspace can choose from. */
  retentionDaysMax: 3_650,
} as const;
