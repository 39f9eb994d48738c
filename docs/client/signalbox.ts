/**
 * A client for the runtime API of Signalbox: this file, `fetch` and nothing else. Copy it into your project.
 *
 *   const signalbox = createSignalbox({ baseUrl: "http://localhost:3000", apiKey: process.env.SVC_API_KEY ?? "" });
 *   const run = await signalbox.runAndWait<{ greeting: string }>("hello-world", { name: "Ada" });
 *   console.log(run.output.greeting);
 */

export type RunStatus =
  | "accepted"
  | "running"
  | "waiting_for_approval"
  | "succeeded"
  | "failed"
  | "cancelled"
  | "timed_out";
export type RunSource = "action" | "webhook" | "schedule" | "manual" | "replay" | "test" | "dry_run";
export type StepErrorCode =
  | "AUTH_EXPIRED"
  | "RATE_LIMITED"
  | "VALIDATION_ERROR"
  | "TIMEOUT"
  | "UPSTREAM_ERROR"
  | "UNKNOWN";
/** What exactly a step error is; one of its code's own name says no more than the code. Expect new ones. */
export type StepErrorReason =
  | "auth_expired"
  | "rate_limited"
  | "validation_error"
  | "timeout"
  | "upstream_error"
  | "unknown"
  | "credentials_unreadable"
  | "user_run_limit"
  | "monthly_run_quota"
  | "sandbox_busy"
  | "service_refused"
  | "address_not_allowed"
  | "connection_missing"
  | "action_not_allowed"
  | "answer_mismatch"
  | "tool_failed"
  | "output_missing"
  | "code_failed"
  | "data_too_large"
  | "run_too_large"
  | "service_timeout"
  | "step_time_limit"
  | "run_time_limit"
  | "callback_expired"
  | "code_time_limit"
  | "machine_busy"
  | "circuit_open"
  | "service_unreachable"
  | "host_not_found"
  | "tls_failed"
  | "connection_broken"
  | "answer_unreadable"
  | "sandbox_unavailable"
  | "code_threw"
  | "worker_lost"
  | "internal_failure"
  | "version_missing";
export type JsonObject = Record<string, unknown>;

export interface StepError {
  code: StepErrorCode;
  /** Missing on runs from before reasons existed. */
  reason?: StepErrorReason;
  message: string;
  retryAfterMs?: number;
  /** The HTTP status that the service answered with. */
  status?: number;
  /** What the service answered. */
  body?: unknown;
  /** The line of the step's code that threw the error. */
  line?: number;
}

/** A path in a template that did not resolve. The run continued with null. */
export interface RunWarning {
  /** Only if the warning is not about a path that did not resolve. */
  code?: "NUMBER_AS_TEXT" | "MARKUP_AS_TEXT";
  step_id: string;
  field: string;
  path: string;
  resolved_until: string;
  has: string;
}

export interface Step {
  step_id: string;
  name: string;
  type: string;
  connector?: string;
  operation?: string;
  /** cancelled, stopped: the step had not ended when the run was cancelled or ended in another way. */
  status:
    | "started"
    | "completed"
    | "failed"
    | "failed_continued"
    | "skipped"
    | "timed_out"
    | "pending_approval"
    | "cancelled"
    | "stopped";
  attempt: number;
  iteration: { loop_id: string; index: number; count: number | null; path: string } | null;
  reused: boolean;
  started_at: string | null;
  completed_at: string | null;
  duration_ms: number | null;
  input: unknown;
  output: unknown;
  error: StepError | null;
  /** Only of a skipped step that the run reached: why it did not run. */
  skip_reason?: "disabled";
  /** Only if there are any. */
  warnings?: RunWarning[];
  /** What the code of the last attempt wrote; only if it wrote something. */
  console?: string[];
  truncated: boolean;
}

/** A person, a key, or the service itself. */
export interface Actor {
  type: "api_key" | "user" | "system";
  id: string | null;
  name: string | null;
}

export interface Approval {
  id: string;
  status: "pending" | "approved" | "rejected" | "expired" | "cancelled";
  kind: "policy" | "gate";
  step_id: string | null;
  message: string | null;
  requested_at: string;
  expires_at: string;
  decided_at: string | null;
  decided_by: Actor | null;
  comment: string | null;
}

export interface StepsPage {
  total: number;
  /** Send it as steps_cursor to read the next steps. */
  next_cursor: string | null;
  loops: { step_id: string; steps: number; failed: number }[];
}

export interface JournalEvent {
  truncated?: true;
  event:
    | "step_started"
    | "step_completed"
    | "step_failed"
    | "step_failed_continued"
    | "step_skipped"
    | "step_timed_out"
    | "step_pending_approval";
  step_id: string;
  iteration: string;
  attempt: number;
  at: string;
  inputData?: unknown;
  outputData?: unknown;
  durationMs?: number;
  skipReason?: "disabled";
  error?: StepError;
  warnings?: RunWarning[];
  /** What the code of the attempt wrote; only if it wrote something. */
  console?: string[];
}

export interface RunError {
  code: StepErrorCode | "APPROVAL_REJECTED" | "APPROVAL_EXPIRED";
  /** Missing on runs from before reasons existed. */
  reason?: StepErrorReason | "approval_rejected" | "approval_expired";
  message: string;
  step_id?: string;
  step_name?: string;
  retryAfterMs?: number;
  /** The HTTP status that a service answered the step with. */
  status?: number;
}

export interface Run<Output = JsonObject> {
  run_id: string;
  action_slug: string | null;
  action_release_version: number | null;
  source: RunSource;
  status: RunStatus;
  input: JsonObject;
  output: Output | null;
  error: RunError | null;
  /** Those of all steps; only if there are any. */
  warnings?: RunWarning[];
  steps: Step[];
  approval: Approval | null;
  /**
   * Only in cancelled runs: the user or API key that canceled or rejected this run or its parent run. The type is system
   * if there is none.
   */
  cancelled_by?: Actor;
  dry_run: boolean;
  correlation_id: string;
  workflow_id: string;
  workflow_version_id: string | null;
  resume_from_run_id: string | null;
  started_at: string | null;
  completed_at: string | null;
  duration_ms: number | null;
  created_at: string;
  events?: JournalEvent[];
  /** Only in runs with too many steps for one answer. */
  steps_page?: StepsPage;
}
/** Why an item of a batch has no run: what a single call would have thrown. */
export interface BatchItemError {
  error: string;
  code:
    | "BAD_REQUEST"
    | "INPUT_VALIDATION_FAILED"
    | "QUOTA_EXCEEDED"
    | "ACTION_NOT_FOUND"
    | "ACTION_UNAVAILABLE"
    | "IDEMPOTENCY_IN_PROGRESS"
    | "IDEMPOTENCY_KEY_REUSED"
    | "RATE_LIMIT_EXCEEDED";
  /** What exactly `code` means here, such as `user_run_limit`. Expect new ones. */
  reason: string;
  details?: unknown;
}
/** The answer to one item of a batch: a run or an error. */
export interface BatchItem<Output = JsonObject> {
  run: Run<Output> | null;
  error: BatchItemError | null;
  /** This is the first answer to the item's idempotency key, again. */
  idempotent_replayed: boolean;
  /** Seconds to wait before sending the item again; null if waiting does not help. */
  retry_after: number | null;
}
export interface Batch<Output = JsonObject> {
  /** One answer per item, in the order of the items. */
  data: BatchItem<Output>[];
  /** How many of them are errors. */
  refused: number;
}
export type SucceededRun<Output = JsonObject> = Run<Output> & { status: "succeeded"; output: Output };

export type PropertyType = "string" | "number" | "integer" | "boolean" | "object" | "array";
export interface PropertySchema {
  type: PropertyType;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  /** In RE2 syntax. */
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: PropertySchema;
  properties?: Record<string, PropertySchema>;
  /** The required properties of an object. */
  required?: string[];
  /** Present for the old name of a renamed field. */
  deprecated?: true;
}

/** The old names of renamed fields: exactly one name of a required field is sent, at most one of an optional field. */
export interface AliasRule {
  oneOf?: { required: string[] }[];
  not?: { required: string[] };
}

export interface Action {
  slug: string;
  name: string;
  description: string | null;
  status: "active" | "paused" | "archived";
  approval_policy: "never" | "always";
  release_version: number;
  workflow_id: string;
  inputSchema: {
    type: "object";
    properties: Record<string, PropertySchema>;
    required: string[];
    allOf?: AliasRule[];
  };
  outputSchema: { type: "object"; properties: Record<string, PropertySchema>; required?: string[] } | null;
  created_at: string;
  updated_at: string;
}
export interface ActionDetail extends Action {
  examples: JsonObject[];
  releases: { version: number; deployed_at: string; breaking: boolean }[];
}

export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}
export interface PageQuery {
  limit?: number;
  cursor?: string;
  order?: "asc" | "desc";
}
export interface RunQuery extends PageQuery {
  action_slug?: string;
  workflow_id?: string;
  /** One or several, joined by commas. */
  status?: string;
  source?: string;
  correlation_id?: string;
  resume_from_run_id?: string;
  created_after?: string;
  created_before?: string;
  include?: "steps";
}

/** A refusal. `code` is for programs, `message` for people; `details` of INPUT_VALIDATION_FAILED names every field. */
export class SignalboxError extends Error {
  override readonly name = "SignalboxError";
  readonly status: number;
  readonly code: string;
  /** What exactly `code` means here, such as `scope_missing` for FORBIDDEN; null if the answer has none. */
  readonly reason: string | null;
  readonly details: unknown;
  /** Seconds after which the service said to ask again. */
  readonly retryAfter: number | null;
  /** Name it when you ask us about this answer. */
  readonly requestId: string | null;

  constructor(response: Response, body: { error?: string; code?: string; reason?: string; details?: unknown }) {
    super(body.error ?? `HTTP ${response.status}`);
    this.status = response.status;
    this.code = body.code ?? "UNKNOWN";
    this.reason = body.reason ?? null;
    this.details = body.details;
    this.retryAfter = seconds(response.headers.get("retry-after"));
    this.requestId = response.headers.get("x-request-id");
  }
}

/** A run that ended without success, or was not awaited any longer: `run` says how far it is. */
export class RunNotSucceeded extends Error {
  override readonly name = "RunNotSucceeded";
  readonly run: Run;

  constructor(run: Run) {
    super(`The run ${run.run_id} is ${run.status}${run.error ? `: ${run.error.message}` : "."}`);
    this.run = run;
  }
}

export interface ClientOptions {
  /** Of the service, as in http://localhost:3000. */
  baseUrl: string;
  apiKey: string;
  /** How often a request is tried again. 4 by default. */
  maxRetries?: number;
  /** The longest delay of a retry, in seconds; if the server asks for more, the error is thrown at once. 60 by default. */
  maxWaitSeconds?: number;
  fetch?: typeof fetch;
}
export interface RunOptions {
  /** A new one by default, so that a retry never makes a second run. Give your own to be safe across restarts. */
  idempotencyKey?: string;
  correlationId?: string;
  dryRun?: boolean;
  traceparent?: string;
  signal?: AbortSignal;
}
/** One call of a batch. */
export interface BatchCall {
  input: JsonObject;
  correlationId?: string;
  idempotencyKey?: string;
  dryRun?: boolean;
}
export interface ReadOptions {
  steps?: "full" | "summary" | "failed";
  include?: "events";
  /** Seconds the service may hold its answer until the run has ended, 25 at most. */
  wait?: number;
  signal?: AbortSignal;
}
export interface DecisionOptions {
  comment?: string;
  approvalId?: string;
}

const FINAL: readonly RunStatus[] = ["succeeded", "failed", "cancelled", "timed_out"];
/** Answers after which the same request may fare better; every request here may be sent twice. */
const RETRIED = [429, 502, 503, 504];
const WAIT_SECONDS = 25;
/** A run that waits for a person is answered at once, so asking again is ours to pace. */
const APPROVAL_POLL_SECONDS = 5;

interface Ask {
  method?: "GET" | "POST";
  query?: object;
  headers?: Record<string, string | undefined>;
  body?: JsonObject;
  signal?: AbortSignal | undefined;
}

export function createSignalbox(options: ClientOptions) {
  const { maxRetries = 4, maxWaitSeconds = 60 } = options;
  const base = `${options.baseUrl.replace(/\/+$/, "")}/api/v1/runtime`;
  const send = options.fetch ?? fetch;

  async function ask<Answer>(path: string, request: Ask = {}): Promise<Answer> {
    const { method = "GET", query = {}, body, signal = null } = request;
    const search = new URLSearchParams(present(query)).toString();
    const init: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${options.apiKey}`,
        ...(body ? { "content-type": "application/json" } : {}),
        ...present(request.headers ?? {}),
      },
      body: body ? JSON.stringify(body) : null,
      signal,
    };
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= maxRetries;
      const response = await send(base + path + (search && `?${search}`), init).catch((lost: unknown) => {
        if (isLast || signal?.aborted) throw lost;
        return null;
      });
      if (response?.ok) return (await response.json()) as Answer;
      const refusal = response && new SignalboxError(response, await response.json().catch(() => ({})));
      const isWorthIt = !refusal || RETRIED.includes(refusal.status) || refusal.code === "IDEMPOTENCY_IN_PROGRESS";
      const pause = refusal?.retryAfter ?? Math.random() * Math.min(2 ** attempt, maxWaitSeconds);
      if (refusal && (!isWorthIt || isLast || pause > maxWaitSeconds)) throw refusal;
      await sleep(pause, signal);
    }
  }

  const start = <Output = JsonObject>(slug: string, input: JsonObject, how: RunOptions = {}): Promise<Run<Output>> =>
    ask(`/actions/${encodeURIComponent(slug)}/run`, {
      method: "POST",
      body: { input, ...(how.dryRun ? { dry_run: true } : {}) },
      headers: {
        "idempotency-key": how.idempotencyKey ?? crypto.randomUUID(),
        "x-correlation-id": how.correlationId,
        traceparent: how.traceparent,
      },
      signal: how.signal,
    });

  const startMany = <Output = JsonObject>(
    slug: string,
    calls: readonly BatchCall[],
    how: Omit<RunOptions, "dryRun"> = {},
  ): Promise<Batch<Output>> =>
    ask(`/actions/${encodeURIComponent(slug)}/runs`, {
      method: "POST",
      body: {
        items: calls.map(({ input, dryRun, correlationId, idempotencyKey }) => ({
          input,
          ...(dryRun ? { dry_run: true } : {}),
          ...present({ correlation_id: correlationId, idempotency_key: idempotencyKey }),
        })),
      },
      headers: {
        "idempotency-key": how.idempotencyKey ?? crypto.randomUUID(),
        "x-correlation-id": how.correlationId,
        traceparent: how.traceparent,
      },
      signal: how.signal,
    });

  const getRun = <Output = JsonObject>(runId: string, how: ReadOptions = {}): Promise<Run<Output>> =>
    ask(`/runs/${encodeURIComponent(runId)}`, {
      query: { steps: how.steps, include: how.include },
      headers: { prefer: how.wait === undefined ? undefined : `wait=${how.wait}` },
      signal: how.signal,
    });

  const decide =
    (decision: "approved" | "rejected") =>
    (runId: string, how: DecisionOptions = {}) =>
      ask<Run>(`/runs/${encodeURIComponent(runId)}/approve`, {
        method: "POST",
        body: present({ decision, comment: how.comment, approval_id: how.approvalId }),
      });

  return {
    listActions: (query: PageQuery & { status?: Action["status"] | "all"; q?: string } = {}) =>
      ask<Page<Action>>("/actions", { query }),
    getAction: (slug: string) => ask<ActionDetail>(`/actions/${encodeURIComponent(slug)}`),
    /** Starts a run and answers at once. @throws SignalboxError */
    run: start,
    /**
     * Starts up to 100 runs with one request and answers at once. A refused item does not affect the others: look at
     * `refused`, or at the `error` of each item. @throws SignalboxError if the whole batch is refused
     */
    runMany: startMany,
    getRun,
    listRuns: (query: RunQuery = {}) => ask<Page<Run>>("/runs", { query }),
    approve: decide("approved"),
    reject: decide("rejected"),
    cancel: (runId: string) => ask<Run>(`/runs/${encodeURIComponent(runId)}/cancel`, { method: "POST" }),

    /**
     * Starts a run and answers when it has succeeded; one that waits for approval is waited for.
     * @throws SignalboxError for a refused call; RunNotSucceeded when the run ended otherwise, or `timeoutSeconds` are over
     */
    async runAndWait<Output = JsonObject>(
      slug: string,
      input: JsonObject,
      how: Omit<RunOptions, "dryRun"> & { timeoutSeconds?: number } = {},
    ): Promise<SucceededRun<Output>> {
      const deadline = Date.now() + (how.timeoutSeconds ?? 600) * 1_000;
      let run = await start<Output>(slug, input, how);
      while (!FINAL.includes(run.status)) {
        const left = Math.ceil((deadline - Date.now()) / 1_000);
        if (left <= 0) break;
        if (run.status === "waiting_for_approval") await sleep(Math.min(APPROVAL_POLL_SECONDS, left), how.signal);
        run = await getRun<Output>(run.run_id, { wait: Math.min(WAIT_SECONDS, left), signal: how.signal });
      }
      if (run.status !== "succeeded") throw new RunNotSucceeded(run as Run);
      return run as SucceededRun<Output>;
    },
  };
}

export type Signalbox = ReturnType<typeof createSignalbox>;

/** What was given: query and headers know no undefined. */
function present(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}

function seconds(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

function sleep(pause: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, pause * 1_000);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
