import { code, markdownTable } from "#lib/api/documentation/reference/markdown-table.fixture";
import { LIMITS } from "#lib/contract/limits";
import { PLAN_LIMITS, PLANS } from "#lib/contract/workspace/plans";
import { formatBytes } from "#lib/support/format/format-number";

type Limit = keyof typeof LIMITS;

/** The meaning of each limit, by topic. A limit without a meaning does not compile. */
const MEANINGS = {
  "API requests": {
    rateWindowSeconds: "The sliding window of the request rate",
    bodyBytes: "The body of a request or a webhook",
    jsonDepth: "How deep JSON may be nested",
    inlineJsonBytes: "The largest event that a web process reads itself, and the largest event of a connector",
    jsonElements: "Values and names of values in the JSON of a request, a webhook or a service's answer",
    jsonNames: "Different names of values in such JSON",
    pageSizeDefault: "Items on a page, unless the request sets `limit`",
    pageSizeMax: "Items on a page",
    waitSecondsMax: "How long `Prefer: wait`, `wait_for_run` and `wait_seconds` wait",
    waitsPerKey:
      "Requests of one key, or of one webhook URL, that wait at the same time, per web process. Further requests do not wait",
    toolAnswerCharacters: "Characters in the result of an MCP tool, unless the call requests more",
    toolPayloadCharacters: "Characters of a failed step's input in such a result",
    idempotencyKeyHours: "How long an idempotency key is remembered",
    batchRuns: "Runs that one batch starts",
    batchesPerKey: "Batches of one key that one web process writes at once",
    batchesAtOnce: "Batches of all keys that one web process writes at once",
    batchesWaitingPerKey: "Batches of one key that wait for their turn",
    requestHeadersMs: "How long the headers of a request may take to arrive",
    requestArrivalMs: "How long a whole request may take to arrive",
    arrivalCheckMs: "How often Signalbox checks these two limits",
    requestHeaders: "Headers of a request",
    unreadBodyMs: "How long Signalbox reads the rest of a refused body",
    arrivingBodiesBytes: "All bodies that are arriving at one web process",
    refusedBodyBytes: "The part that Signalbox reads of an MCP message with an invalid key",
    failedKeysBurst:
      "Requests with an invalid key that one source can send at once before its keys share a database connection",
    failedKeysPerMinute: "Requests with an invalid key from one source per minute after that",
    signInRequestsBurst: "Requests to sign in or sign up that one source can send at once",
    signInRequestsPerMinute: "Requests to sign in or sign up from one source per minute after that",
    webhookRequestsPerMinute:
      "Valid deliveries to one webhook address per minute. Also, invalid deliveries to it from one source per minute",
    connectionsPerSource: "Open connections of one source, except trusted proxies",
    streamsPerUser: "Event streams of one user per web process",
  },
  Runs: {
    runsPerUserPerHour: "Runs per user in a sliding hour. Dry runs do not count",
    eventRunsPerUserPerHour: "How many of these runs webhooks, schedules, and events from connected services can start",
    stepTimeoutMs: "One attempt of a step",
    pipelineTimeoutMs: "The running time of a whole run. Time in which the run only waits does not count",
    delaySeconds: "The longest delay",
    callbackSecondsMin: "The shortest wait for a callback",
    callbackSecondsMax: "The longest wait for a callback",
    callbackBodyBytes: "The body of a callback",
    callbackSchemaBytes: "The JSON Schema of the body of a callback",
    callbackHeaders: "Headers of a callback that a run gets",
    callbackHeaderCharacters: "Characters of one of these headers",
    codeCpuMs: "CPU time of one call of a code step or a JSONata expression",
    codeQueuedCalls: "Code steps of a workspace that wait for the sandbox of one worker",
    codeQueuedBytes: "The code and input of these steps together",
    computeJobMs: "One check of long texts or of a model's answer in a separate process",
    computeQueuedJobs: "Such checks of a workspace that wait for their turn, per process",
    computeQueuedBytes: "The data of these checks together",
    stepOutputBytes: "The output of a step",
    runOutputBytes: "The outputs of all steps of a run together",
    maxRetries: "Retries of a step",
    retryWaitSeconds: "The wait before the first retry, unless the step sets another one",
    retryWaitSecondsMax: "The longest wait before a retry, set by the step or reached by doubling",
    rateLimitResetMs: "The longest wait that a service can request with a rate limit. Signalbox shortens a longer one",
    retryAfterMs: "The longest wait that a service or code can request. Signalbox shortens a longer one",
    errorBodyBytes: "The part of a service's response that the error of a step keeps",
    subWorkflowDepth: "How deep sub-workflows may be nested",
    runSteps: "Steps of a run, with those of every iteration of its loops",
    journalBytes: "The journal of a run: the inputs and outputs of its steps",
    journalGatherBytes: "The part of the journal that a worker holds before it writes it",
    journalStatementBytes: "What a worker writes or reads of several runs in one statement",
    loopIterations: "Iterations of a loop",
    loopConcurrency: "Iterations of a loop that run at once",
    stepsPageSize: "Steps of a run in one response. `steps_page` says how to read the next ones",
    timelineBytes: "Payloads of a run in one response. The next ones are on the next page",
    timelineEvents: "Journal events in one response",
    stepWarnings: "Warnings of one step",
    runWarnings: "Different warnings of a run",
    warningCharacters: "The length of a text in a warning",
    consoleLines: "Console lines of a code step that Signalbox keeps",
    consoleLineCharacters: "Characters of a console line",
    consoleBytes: "The console lines of a step together",
    runConsoleBytes: "The console lines of all steps of a run together. Later lines are not kept",
    stepPayloadBytes: "A payload in `steps`. A longer one is cut and marked `truncated`",
    sanitizerDepth: "How deep redaction reads",
    runsPageSize: "Runs on a page of the web application",
    runsPerWorker: "Runs that one worker executes at once, unless `WORKER_CONCURRENCY` is set",
    workingRunsPerWorker: "Runs of a worker that use the CPU at once. The others wait for a response",
    workerLateMs: "The average delay of its event loop above which a worker takes fewer runs",
    workerPunctualMs: "The average delay below which it takes more runs again",
    largeResponseBytes:
      "A response that counts as large. A step finishes reading it only when one of the places below is free",
    largeResponses: "Large responses that one worker reads at once",
    largeResponsesPerWorkspace: "Large responses of one workspace that a worker reads at once",
    largeResponsesReserved: "Further large responses, each the first one of its workspace",
    workerMemoryBytes: "Memory of a worker above which it takes only runs of workspaces that have none in flight",
    workerMemoryMaxBytes: "Memory of a worker above which it takes no more runs",
    retentionDaysMax: "How long a workspace can keep its runs",
  },
  Workflows: {
    graphNodes: "Steps in a workflow",
    graphEdges: "Edges in a workflow",
    definitionBytes: "A draft",
    checkedProgramCharacters:
      "Characters of code and JSONata that a check of a definition parses, where `<` counts as 60; the rest is not checked",
    maskedCharacters: "Characters of typed secrets, in all spellings, that are masked one by one in the steps of a run",
    graphEditBytes: "What the `operations` of one update read: a rename reads the whole workflow, an update its node",
    inputProperties: "Properties of an input schema",
    sampleEventCharacters: "Characters of a sample event that a person sends to a webhook",
    sampleEventMs: "How long Signalbox waits for the response to a sample event",
    failureWorkflows: "Workflows that one failure trigger names",
    errorGroupRuns: "Newest errors that the list of runs counts by group",
    errorGroups: "Groups of errors in a list",
    savedViews: "Saved views of the list of runs, of one person and of a workspace",
    savedViewNameCharacters: "Characters of the name of a saved view",
    savedViewFilterCharacters: "Characters of one filter of a saved view",
    inputFields: "Fields of an action's input at all levels",
    inputDepth: "Levels of fields inside fields of an action's input",
    inputAliases: "Old names of an input property that callers may still send",
    expressions: "Expressions in a step, and in a workflow",
    expressionNodes: "Values and functions in an expression",
    expressionDepth: "How deep functions in an expression may be nested",
    templateCacheBytes: "Parsed templates that a process keeps",
    definitionCacheBytes:
      "Definitions that a process keeps. Compiled plans and custom connectors each have the same limit",
    schemaCacheBytes: "Input schemas whose validators a process keeps",
    patternCharacters: "Characters in a regular expression",
    patternSize: "Parts of a regular expression once its counted repetitions are unfolded",
    paramChecks: "Comparisons with the schemas of a custom connector that one check of params makes",
    definitionPatternSize: "Parts of all regular expressions in a workflow or an `output_schema`",
    patternWork: "Parts of the regular expressions times characters of the texts, per step or item of a filter",
    patternInlineWork: "The part of this work that a process does next to its other work",
    patternCacheBytes: "Compiled regular expressions that a process keeps",
    canvasNotes: "Notes on a canvas",
    noteCharacters: "Characters in a note",
    noteSizeMin: "The smallest width and height of a note, in pixels",
    noteSizeMax: "The largest width and height of a note, in pixels",
  },
  "Triggers and connectors": {
    intervalSecondsMin: "The shortest interval of a schedule",
    intervalSecondsMax: "The longest interval of a schedule",
    scheduleLatenessMs: "How late a schedule can still fire",
    webhookSecretCharacters: "Characters in the secret of a webhook",
    deliveryIdHours: "How long a webhook delivery id is remembered",
    formFields: "Fields of a form that a webhook receives",
    challengeBytes: "The body of a request with which a sender checks an address",
    certificateBytes: "A certificate that a sender of webhooks names",
    certificatesKept: "Such certificates that a process keeps",
    certificatesFetched: "Such certificates that a process fetches at the same time",
    deliveryLogDays: "The minimum time for which deliveries are listed. Signalbox deletes them a week at a time",
    refusedDeliveriesPerMinute: "Refused deliveries of a trigger that are listed per minute",
    watchedListElements: "Elements of a Kommo list that a trigger watches",
    breakerFailures: "Failures that open a circuit breaker",
    breakerWindowMs: "The time in which these failures count",
    mailCallMs: "One call of a mail server",
    imapCallBytes: "What an IMAP server may send in one call",
    imapLineBytes: "A line of an IMAP server",
    imapResponseTokens: "Values in one response of an IMAP server",
    smtpCallBytes: "What an SMTP server may send in one call",
    mailPieceBytes: "What a process reads from a mail server before other work gets its turn",
    breakerForgottenMs: "How long an open circuit breaker is kept without a call",
    circuitsListed: "Open circuit breakers that are listed",
    breakerOpenMs: "How long an open circuit breaker refuses calls before it tries one",
    openBuilds: "Builds of connectors of a workspace that are queued or running",
    documentThreads: "OpenAPI documents that one process reads at once. One of them can be of the same workspace",
    documentsWaitingPerWorkspace: "OpenAPI documents of a workspace that wait to be read by one process",
    documentsWaiting: "OpenAPI documents of all workspaces that wait to be read by one process",
    documentWaitMs: "How long an OpenAPI document waits to be read",
    documentReadMs: "CPU time that reading an OpenAPI document may take",
    documentBusyMs: "How long a busy machine may take to read an OpenAPI document",
    documentHeapBytes: "Memory for reading an OpenAPI document",
    listedOperations: "Operations of a document that its check lists",
    selectionNames: "Tags, operations, or paths of a selection",
    catalogOperations: "Operations of a workspace's own connectors that the step picker offers",
    catalogDescriptionCharacters: "Characters of their descriptions that it searches",
  },
  "MCP servers": {
    mcpTools: "Tools of one server",
    mcpToolPages: "Pages of a server's list of tools that are read",
    mcpNameCharacters: "Characters in the name of a tool",
    mcpDescriptionCharacters: "Characters of a tool's description that are kept",
    mcpSchemaBytes: "The input or output schema of one tool",
    mcpToolListBytes: "All tools of a server together",
    mcpListMs: "How long reading a server's tools may take, for a person or before a publish",
    mcpToolsFreshMs: "How long a list of tools counts as current, if the server does not specify this",
    mcpToolsFreshMinMs: "The shortest time that a server can ask for",
    mcpToolsFreshMaxMs: "The longest time that a server can ask for",
    mcpSessions: "Sessions with servers that one process keeps",
    mcpSessionMs: "How long a session with a server is used",
    mcpTaskPollMs: "How often Signalbox asks whether a tool that runs in the background has ended",
  },
  Accounts: {
    signInFailures: "Failed attempts at an account before the next one has to wait",
    sourceFailures: "Failed attempts from one address before the next one has to wait",
    signInFirstWaitSeconds: "The first wait. It doubles with every failure",
    signInLongestWaitSeconds: "The longest wait of an account",
    sourceLongestWaitSeconds: "The longest wait of an address",
    signInForgetSeconds: "The time after which one failure at an account no longer counts",
    sourceForgetSeconds: "The time after which one failure of an address no longer counts",
    memberUnlocks: "Times that admins can unlock a member before they have to wait",
    unlockLongestWaitSeconds: "The longest wait before a member can be unlocked again",
    unlockForgetSeconds: "The time after which one unlocking no longer counts",
    knownDeviceDays: "How long a browser stays known to an account after a sign-in",
    recoveryCodes: "Recovery codes of a person. Each works once",
    sessionDays: "How long a session lasts after the sign-in, however often it is used",
    sessionsPerUser: "Sessions of a person. A new session ends the least recently used one",
    passkeysPerUser: "Passkeys of a person",
    passwordResetMinutes: "Minutes for which an emailed link can set a new password",
    passwordResetMailsPerDay: "Emails with such a link that a person gets per day",
    recentSignInMinutes: "Minutes after a sign-in or confirmation in which a person can change the account's security",
  },
  "Approvals and members": {
    approvalExpiryMs: "How long an approval request waits",
    commentCharacters: "Characters in the comment of a decision",
    inviteDays: "How long an invite is valid",
    openInvites: "Open invites of a workspace",
    inviteMailsPerDay: "Invite emails of a workspace per day",
    inviteMailsPerAddressPerDay: "Invite emails to one address per day",
    ownedWorkspaces: "Workspaces that one user owns",
    ssoGroups: "Groups that a workspace maps to roles",
    ssoEmailDomains: "Email domains that a workspace allows for single sign-on",
  },
} satisfies Record<string, Partial<Record<Limit, string>>>;

type Described = { [Topic in keyof typeof MEANINGS]: keyof (typeof MEANINGS)[Topic] }[keyof typeof MEANINGS];
/** Fails to compile if a limit has no meaning. */
const ALL_DESCRIBED: Record<Limit, true> = {} as Record<Described, true>;

export function limitTables(): string {
  void ALL_DESCRIBED;
  return Object.entries(MEANINGS)
    .map(([topic, meanings]) => {
      const rows = Object.entries(meanings).map(([limit, meaning]) => [meaning, limitWords(limit as Limit)]);
      return `## ${topic}\n\n${markdownTable(["limit", "value"], rows)}`;
    })
    .join("\n\n");
}

export function planTable(): string {
  const count = (value: number | null) => (value === null ? "no limit" : value.toLocaleString("en-US"));
  const rows = PLANS.map((plan) => {
    const { requestsPerWindow, activeKeys, runsPerMonth, runShare, storedDefinitionBytes } = PLAN_LIMITS[plan];
    const counts = [requestsPerWindow, activeKeys, runsPerMonth, runShare].map(count);
    return [code(plan), ...counts, formatBytes(storedDefinitionBytes)];
  });
  const window = `requests per key in ${LIMITS.rateWindowSeconds} s`;
  return markdownTable(["plan", window, "active keys", "runs per month", "run share", "drafts and versions"], rows);
}

/** Returns the limit's number in the unit that its name ends with. */
function limitWords(limit: Limit): string {
  const value = LIMITS[limit];
  if (limit.endsWith("Ms")) return durationWords(value / 1_000);
  if (limit.endsWith("Bytes")) return value < 2 ** 20 ? `${value / 2 ** 10} KiB` : `${value / 2 ** 20} MiB`;
  if (/Seconds(Min|Max)?$/.test(limit)) return durationWords(value);
  if (limit.endsWith("Hours")) return `${value} hours`;
  if (/Days(Max)?$/.test(limit)) return `${value.toLocaleString("en-US")} days`;
  return value.toLocaleString("en-US");
}

function durationWords(seconds: number): string {
  if (seconds > 86_400 && seconds % 86_400 === 0) return `${seconds / 86_400} days`;
  if (seconds > 60 && seconds % 3_600 === 0) return seconds === 3_600 ? "1 hour" : `${seconds / 3_600} hours`;
  return seconds > 120 && seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} s`;
}
