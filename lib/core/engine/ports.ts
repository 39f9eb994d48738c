import type { ApprovalObject } from "#lib/contract/approval/approval";
import type { FieldError } from "#lib/contract/error/api-error";
import type { JournalEvent } from "#lib/contract/run/journal";
import type { RunError, RunStatus } from "#lib/contract/run/run";
import type { StepError, StepErrorPayload } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { SendRequest } from "#lib/core/engine/outgoing-request";
import type { RuleCase } from "#lib/core/expressions/find-case";
import type { TextPlaces } from "#lib/core/expressions/places/resolve-params";
import type { NoteLongNumber, PathInJson } from "#lib/support/exact-json";

/** The clock that the rules use. */
export interface Clock {
  /** Used for the timestamps of events, never for decisions. */
  now(): Date;
  /** Milliseconds of a clock that never jumps. All deadlines and durations use it. */
  monotonicMs(): number;
  /** Rejects with the signal's reason if the signal is aborted first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** A journal entry, as the engine writes it. */
export interface EngineEvent extends JournalEvent {
  /**
   * Only in a `step_started`: how many earlier attempts the other side answered. The number is part of the attempt's
   * idempotency key, so a resumed attempt must know it.
   */
  answeredAttempts?: number;
}

/** The journal of one run. Writes are fenced: after the lease is lost, every flush rejects with LeaseLost. */
export interface JournalPort {
  /** Adds the event after the earlier ones, without writing anything yet. */
  append(event: EngineEvent): void;
  /**
   * Returns an error as the journal shows it, redacted. The steps that follow a failure read this, so that they read the
   * same after a crash.
   */
  shown(error: StepErrorPayload): StepErrorPayload;
  /** Resolves when everything appended so far is durable. */
  flush(): Promise<void>;
  /**
   * Returns null while few and small events are buffered, otherwise writes them and resolves when they are durable. Await
   * it between steps.
   */
  keepUp(): Promise<void> | null;
  /**
   * Writes the events that were appended in this turn of the event loop, unless the end of the run writes them first.
   */
  flushSoon(): void;
}

/** What a circuit breaker protects (decisions, Connectors): failures of one destination never stop calls to another. */
export interface Destination {
  connector: string;
  connectionId: string | null;
  /** Scheme, host and port, if the step chooses the address itself; null if the connection does. */
  origin: string | null;
}

/** The circuit breakers of the run's workspace (contract, Limits; decisions, Connectors). */
export interface BreakerPort {
  /** @throws StepError UPSTREAM_ERROR "circuit open" with `retryAfterMs` while the breaker refuses calls */
  admit(destination: Destination): Promise<BreakerPass>;
  /** Reports the result of an admitted call to the breaker; null means success. */
  report(destination: Destination, pass: BreakerPass, error: StepError | null): Promise<void>;
}

/** `isProbe` marks the single call that decides whether an open breaker closes. */
export interface BreakerPass {
  isProbe: boolean;
}

/** One operation of a connector. */
export interface ConnectorOperation {
  /** The connector whose connections it uses, if not its own. */
  connectionOf?: string;
  /** The params whose texts have a language, so that the values in them are written for their place. */
  textPlaces?: TextPlaces;
  /** True if its params name the address, so that each origin has a circuit breaker of its own. */
  isPerOrigin?: true;
  /**
   * Returns true if sending the request twice has the same effect as sending it once. Only then can a TIMEOUT be
   * retried.
   */
  isIdempotent(params: unknown): boolean;
  /**
   * @param params with all templates resolved
   * @returns the step's output
   * @throws StepError
   */
  call(params: unknown, context: OperationContext): Promise<unknown>;
}

/** A connection, as a step can use it. Its secrets are only available to `send`. */
export interface StepConnection {
  id: string;
  name: string;
  connector: string;
  /** The fields that are not secrets. */
  settings: Readonly<Record<string, string>>;
  /**
   * Sends a request with the connection's credentials, if the target may receive them. Refreshes the credentials as
   * needed; a 401 response means that refreshing did not help.
   */
  send: SendRequest;
  /** Records that the tools of an MCP server have changed since they were read. */
  onToolsChanged?: () => void;
}

/** The connections of the run's workspace. */
export interface ConnectionPort {
  /** @throws StepError VALIDATION_ERROR if the workspace has no such connection */
  open(connectionId: string): Promise<StepConnection>;
}

export interface OperationContext {
  /** Aborted when the attempt's time is up or the worker loses the run. It must reach the socket. */
  signal: AbortSignal;
  idempotencyKey: string;
  /** W3C Trace Context of this attempt. */
  traceparent: string;
  /** Sends a request, with the connection's credentials if there is a connection. */
  send: SendRequest;
  connection: StepConnection | null;
  compute: ComputePort;
  now(): Date;
  /** Notes a number that became a text, in JSON that was a text in the response: its field of the output, and its path there. */
  noteNumber?: (field: string, path: PathInJson) => void;
}

/** An approval node that the run reached. */
export interface Gate {
  nodeId: string;
  iteration: string;
  message: string | null;
}

export interface GateDecision {
  isApproved: boolean;
  comment: string | null;
  decidedBy: ApprovalObject["decided_by"];
}

/** The approval requests of the run. */
export interface GatePort {
  /**
   * Opens the approval request, once, and reads its decision.
   * @returns null while no one has decided
   */
  open(gate: Gate): Promise<GateDecision | null>;
}

/** A step that waits for a request to its address. */
export interface CallbackRequest {
  nodeId: string;
  iteration: string;
  /** Counts from the first time that the step opens the callback. */
  expiresSeconds: number;
}

/** What a request to the address of a step sent. */
export interface CallbackDelivery {
  body: unknown;
  headers: Record<string, string>;
}

export type CallbackState =
  | { status: "waiting"; restMs: number }
  | { status: "received"; delivery: CallbackDelivery; receivedAt: Date }
  | { status: "expired" };

/** The addresses of the run's steps. */
export interface CallbackPort {
  /** Returns the address of a step, the same for the whole run. */
  urlOf(nodeId: string, iteration: string): string;
  /** Starts the wait, once, and reads what has arrived. */
  open(request: CallbackRequest): Promise<CallbackState>;
}

export interface SubRunRequest {
  /** The step, iteration and answered attempt of this run that the sub-run belongs to. */
  step: string;
  /** The slug of the action. */
  slug: string;
  input: JsonObject;
  traceparent: string;
}

/** Where a sub-run failed first: itself, or a sub-run of its own. */
export interface SubRunCause {
  /** The actions from the sub-run down to there. */
  path: readonly string[];
  error: RunError;
}

/** A run that was started by a step of this run. */
export interface SubRun {
  runId: string;
  isEnded: boolean;
  status: RunStatus;
  output: JsonObject | null;
  error: RunError | null;
  /** Null if it has not failed. */
  cause: SubRunCause | null;
}

export interface SubRunPort {
  /**
   * Starts the step's sub-run, once, and returns its state.
   * @throws StepError if it cannot be started
   */
  open(request: SubRunRequest): Promise<SubRun>;
}

/** A program by the workflow's author, with its JSON input. */
export interface SandboxProgram {
  source: string;
  input: unknown;
  timeoutMs: number;
  signal: AbortSignal;
  /** Called when the program's turn comes; its time counts from then. */
  onTurn(): void;
}

/** A program that can write to a console. */
export interface CodeProgram extends SandboxProgram {
  /** Takes the lines that the code wrote, whether it succeeded or failed. */
  onConsole(lines: readonly string[]): void;
}

/** Runs user code in isolation. */
export interface SandboxPort {
  /**
   * @returns the value that the code returns
   * @throws StepError
   */
  runCode(program: CodeProgram): Promise<unknown>;
  /**
   * @returns the expression's value
   * @throws StepError
   */
  evaluateJsonata(program: SandboxProgram): Promise<unknown>;
}

/** Work on untrusted data that can take longer than other runs may wait: it is done in a process of its own. */
export interface ComputePort {
  /**
   * @returns the position of the first case whose rules hold, or -1
   * @throws StepError
   */
  findCase(cases: readonly RuleCase[], signal: AbortSignal): Promise<number>;
  /**
   * @param onKept called with the place of each number that became a text
   * @returns the value of a model's text, which matches the schema
   * @throws StepError VALIDATION_ERROR naming what does not match
   */
  parseObject(
    text: string,
    schema: Record<string, unknown>,
    signal: AbortSignal,
    onKept?: NoteLongNumber,
  ): Promise<unknown>;
  /**
   * @returns what does not match the schema; nothing if the schema cannot be used
   * @throws StepError if the check takes too long
   */
  checkValue(value: unknown, schema: JsonObject, signal: AbortSignal): Promise<FieldError[]>;
}

/** The external services that handlers can use. */
export interface StepServices {
  breaker: BreakerPort;
  compute: ComputePort;
  connections: ConnectionPort;
  callbacks: CallbackPort;
  gates: GatePort;
  subRuns: SubRunPort;
  sandbox: SandboxPort;
  send: SendRequest;
  now(): Date;
}

/** Everything that a run touches outside the rules. */
export interface RunPorts {
  clock: Clock;
  /** Returns a uniformly distributed number in [0, 1). */
  random(): number;
  journal: JournalPort;
  services: StepServices;
  /**
   * Resolves when a side effect may start: immediately, or when a worker that lost contact with the database is
   * connected again.
   */
  untilFit(signal: AbortSignal): Promise<void>;
  /**
   * Lets other runs work if this turn of the event loop already lasts long; null if it does not. Steps without side
   * effects follow each other without a pause.
   */
  takeTurn(): Promise<void> | null;
}
