import { CODE_LIMITS } from "#lib/contract/limits/code-limits";
import { LIST_LIMITS } from "#lib/contract/limits/list-limits";

/**
 * Every number that the product promises or enforces, with the section it comes from. "contract" is docs/contract.md;
 * "decisions" is docs/decisions. Sizes are bytes and durations milliseconds unless the name says otherwise.
 */
export const LIMITS = {
  ...LIST_LIMITS,
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
  /** decisions, Reading runs: `Prefer: wait=N`, wait_for_run and wait_seconds. */
  waitSecondsMax: 25,
  /**
   * decisions, Reading runs: calls of one key that wait for runs at the same time, in one process. Each holds a request
   * open; with 1,000 requests per minute, a key can have 417. One more answers at once, as after a timeout.
   */
  waitsPerKey: 500,
  /**
   * decisions, MCP: the longest answer of a tool that no one asked to be longer. JSON has about three characters per
   * token, and clients cut at 20,000 to 25,000 tokens.
   */
  toolAnswerCharacters: 60_000,
  /** decisions, MCP: the input of a failed step in a short answer. Most are below 1,000 characters. */
  toolPayloadCharacters: 4_000,
  /**
   * decisions, Step picker: operations of a workspace's own connectors in the catalog. The browser keeps all of them in
   * its search index: 3,000 are 600 KB of JSON, 60 KB compressed. The largest OpenAPI documents have about 1,100.
   */
  catalogOperations: 3_000,
  /** decisions, Step picker: characters of the description of such an operation. The picker shows one line. */
  catalogDescriptionCharacters: 160,
  /**
   * decisions, Connectors: comparisons of values with schemas in one check of the params of a custom connector. They run
   * on a shared event loop, and schemas are those of strangers. 50,000 take 30 to 80 ms of CPU in the worst cases measured.
   */
  paramChecks: 50_000,
  /**
   * decisions, Budgets: threads of a process that read OpenAPI documents. One workspace uses one of them, so a second
   * workspace never waits for the first.
   */
  documentThreads: 2,
  /** decisions, Budgets: a document and the previous build take up to 24 MiB while they wait, so 6 take 144 MiB. */
  documentsWaitingPerWorkspace: 3,
  documentsWaiting: 6,
  documentWaitMs: 10_000,
  /** decisions, Budgets: CPU time. The largest accepted YAML takes three seconds of it. */
  documentReadMs: 30_000,
  /** decisions, Budgets: time on the clock, after which the machine is too busy. */
  documentBusyMs: 120_000,
  /** decisions, Budgets: the heap of a thread. A document of 14 MB takes 200 MB. */
  documentHeapBytes: 536_870_912,
  /** decisions, Connectors: tags, operations or paths of a selection. */
  selectionNames: 200,
  /** decisions, Connectors: operations that the check of a document lists. 5,000 are 1 MB of JSON. */
  listedOperations: 5_000,
  /** decisions, Budgets: builds of a workspace that have not ended. Each stores a document of up to 1 MiB. */
  openBuilds: 20,
  /** decisions, Connectors: retries of one step. */
  maxRetries: 5,
  /** The pause before the first retry, unless the step sets another one. */
  retryWaitSeconds: 1,
  /** The longest pause before a retry: a run has 300 s, and five retries should fit. */
  retryWaitSecondsMax: 60,
  /** decisions, Connectors: a longer window of a rate limit counts as this. No run waits that long. */
  rateLimitResetMs: 86_400_000,
  /**
   * decisions, Connectors: a longer wait that a service or code asks for counts as this. The longest windows of quotas are
   * months.
   */
  retryAfterMs: 31 * 86_400_000,
  /**
   * decisions, Connectors: what is kept of a service's answer to a failed request. Error descriptions have 1 or 2 KiB; more
   * is a page for people, or the data itself.
   */
  errorBodyBytes: 8_192,
  /** decisions, Runs: how many runs one worker executes at once, unless WORKER_CONCURRENCY says otherwise. */
  runsPerWorker: 200,
  /** decisions, Runs: how many of them may use the worker's process at once; the others wait. */
  workingRunsPerWorker: 10,
  /** decisions, Runs: the average delay of a worker's event loop at which it takes fewer runs, and more again. */
  workerLateMs: 50,
  workerPunctualMs: 20,
  /** decisions, Runs: a larger response, of up to 10 MiB, is read in turns; the reserved ones are a workspace's first. */
  largeResponseBytes: 262_144,
  largeResponses: 8,
  largeResponsesPerWorkspace: 4,
  largeResponsesReserved: 8,
  /** decisions, Runs: a worker that uses more memory takes only runs of workspaces that have none in flight. */
  workerMemoryBytes: 314_572_800,
  /** decisions, Runs: a worker that uses more memory takes no runs. It has room for the 10 MiB of some 15 newcomers. */
  workerMemoryMaxBytes: 471_859_200,
  /** decisions, Runs: the longest delay, in seconds: 30 days. A run in a delay is parked and costs one row. */
  delaySeconds: 2_592_000,
  /** decisions, Callbacks: how long a run waits for a callback: as long as the longest delay. */
  callbackSecondsMin: 1,
  callbackSecondsMax: 2_592_000,
  /** decisions, Callbacks: the body. With its headers, it must fit into the output of a step. */
  callbackBodyBytes: 524_288,
  /** decisions, Callbacks: the JSON Schema of the body, in characters; it is compiled for each delivery. */
  callbackSchemaBytes: 32_768,
  /** decisions, Callbacks: the headers that a run gets, and the length of one. */
  callbackHeaders: 30,
  callbackHeaderCharacters: 1_000,
  /** decisions, Inbound webhooks: a sample event that a person writes, and how long they wait for its answer. */
  sampleEventCharacters: 65_536,
  sampleEventMs: 10_000,
  /** decisions, Failure triggers: the workflows that one trigger names. */
  failureWorkflows: 100,
  /**
   * decisions, Run steps: warnings of a step, and of a run. 20 take at most 20 KB of the run's answer. The same mistake in
   * every iteration of a loop is one of them.
   */
  stepWarnings: 10,
  runWarnings: 20,
  /** decisions, Run steps: one text of a warning. It names up to 20 fields. */
  warningCharacters: 200,
  ...CODE_LIMITS,
  /** decisions, Inbound webhooks: fields of a form body. Parsing and sanitizing as many takes a millisecond. */
  formFields: 1_000,
  /** decisions, Inbound webhooks: a challenge is echoed to a caller that has proved nothing. */
  challengeBytes: 4_096,
  /** decisions, Inbound webhooks: PayPal's certificates: the largest is 3 KiB. */
  certificateBytes: 16_384,
  certificatesKept: 20,
  /** At a time, in one process: a caller that has proved nothing names them. */
  certificatesFetched: 4,
  /** decisions, MCP servers: tools of one server. The largest public ones have about 100; models choose badly among more. */
  mcpTools: 200,
  /** decisions, MCP servers: answers in which a server lists its tools. Servers that use pages send 50 to 100 tools each. */
  mcpToolPages: 20,
  /** decisions, MCP servers: the length that the protocol allows for the name of a tool. */
  mcpNameCharacters: 128,
  /** decisions, MCP servers: the rest of a longer description is cut. Descriptions for models have up to 3,000. */
  mcpDescriptionCharacters: 4_000,
  /** decisions, MCP servers: the input or output schema of one tool. The largest seen have 20 KB. */
  mcpSchemaBytes: 65_536,
  /** decisions, MCP servers: the tools of a server together. One row stores them, and a picker with 3,000 reads 15 rows. */
  mcpToolListBytes: 1_048_576,
  /** decisions, MCP servers: sessions that a process keeps open, and for how long; servers forget idle ones sooner. */
  mcpSessions: 1_000,
  mcpSessionMs: 900_000,
  /** decisions, MCP servers: reading the tools of a server while a person waits, and before a publish. */
  mcpListMs: 8_000,
  /** decisions, MCP servers: how long a list of tools counts as current, unless the server says a time in this range. */
  mcpToolsFreshMs: 3_600_000,
  mcpToolsFreshMinMs: 60_000,
  mcpToolsFreshMaxMs: 86_400_000,
  /** decisions, MCP servers: how often a task is asked for its state, unless the server says a longer time. */
  mcpTaskPollMs: 500,
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
  /** contract, Limits: circuit breaker. */
  breakerFailures: 5,
  breakerWindowMs: 300_000,
  /** decisions, Connectors: how long an open breaker refuses calls before it admits a probe. */
  breakerOpenMs: 60_000,
  /** decisions, Connectors: templates can lead to any number of hosts, so a breaker without a call is forgotten. */
  breakerForgottenMs: 3_600_000,
  circuitsListed: 100,
  /**
   * decisions, Connector events: the elements of a Kommo list that a trigger watches. Its cursor holds the id and time of
   * each, about 1 MiB, and 200 pages take less than the two minutes between readings.
   */
  watchedListElements: 50_000,
  /** decisions, Connectors: one call of a mail server. It ends before the step does, so that the step can say why. */
  mailCallMs: 25_000,
  /**
   * decisions, Connectors: what a mail server may send in one call. Ten messages with 200 KB of text and 200 KB of HTML
   * each, as a poll reads them, are 6 MB in base64. SMTP servers only send status lines.
   */
  imapCallBytes: 10_485_760,
  smtpCallBytes: 262_144,
  /** decisions, Connectors: one line of an IMAP server. The largest lists the matches of a search, 500,000 in 4 MiB. */
  imapLineBytes: 4_194_304,
  /** decisions, Connectors: values in one IMAP response. A message with 1,000 attachments has 20,000. */
  imapResponseTokens: 50_000,
  /** decisions, Connectors: what one turn of the event loop reads of a mail server. 4 KiB are up to 200 lines. */
  mailPieceBytes: 4_096,
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
