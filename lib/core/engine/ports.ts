import type { ApprovalObject } from "#lib/contract/approval";
import type { JournalEvent } from "#lib/contract/journal";
import type { JsonObject } from "#lib/contract/json-schema";
import type { RunError, RunStatus } from "#lib/contract/run";
import type { StepError } from "#lib/contract/step-error";
import type { SendRequest } from "#lib/core/engine/outgoing-request";

/** Time, as the rules see it. */
export interface Clock {
  /** For the timestamps of events; nothing is decided by it. */
  now(): Date;
  /** Milliseconds of a clock that never jumps; every deadline and duration is measured by it. */
  monotonicMs(): number;
  /** Rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** A journal entry as the engine writes it. */
export interface EngineEvent extends JournalEvent {
  /**
   * Of a `step_started`: how many earlier attempts the other side had answered. It is part of the attempt's
   * idempotency key, so a resumed attempt must know it.
   */
  answeredAttempts?: number;
}

/** The journal of one run. Writes are fenced: once the lease is lost, every flush rejects with LeaseLost. */
export interface JournalPort {
  /** Puts the event behind those appended before; nothing is written yet. */
  append(event: EngineEvent): void;
  /** Resolves once everything appended so far is durable. */
  flush(): Promise<void>;
  /** Resolves at once while little has gathered, else once it is durable: what appends without end awaits it. */
  keepUp(): Promise<void>;
  /** Writes what was appended in this turn of the event loop, unless the end of the run takes it along first. */
  flushSoon(): void;
}

/** The circuit breaker of the run's workspace (contract, Limits; decisions, Connectors). */
export interface BreakerPort {
  /** @throws StepError UPSTREAM_ERROR "circuit open" with `retryAfterMs` while the breaker refuses calls */
  admit(connector: string): Promise<BreakerPass>;
  /** Tells the breaker how an admitted call ended; null is success. */
  report(connector: string, pass: BreakerPass, error: StepError | null): Promise<void>;
}

/** `isProbe`: the one call that decides whether an open breaker closes. */
export interface BreakerPass {
  isProbe: boolean;
}

/** One operation of a connector. */
export interface ConnectorOperation {
  /** Whose connections it takes, where they are not its own connector's. */
  connectionOf?: string;
  /** True when sending the request twice does no more than sending it once: then a TIMEOUT may be retried. */
  isIdempotent(params: unknown): boolean;
  /**
   * @param params with every template resolved
   * @returns the step's output
   * @throws StepError
   */
  call(params: unknown, context: OperationContext): Promise<unknown>;
}

/** A connection as a step may use it. Its secrets stay behind `send`. */
export interface StepConnection {
  name: string;
  connector: string;
  /** The fields that are no secrets. */
  settings: Readonly<Record<string, string>>;
  /**
   * Sends with the connection's credentials, where they may go. Whatever keeps them fresh happens in here; an answer
   * of 401 says that nothing could.
   */
  send: SendRequest;
}

/** The connections of the run's workspace. */
export interface ConnectionPort {
  /** @throws StepError VALIDATION_ERROR when the workspace has no such connection */
  open(connectionId: string): Promise<StepConnection>;
}

export interface OperationContext {
  /** Aborted when the attempt's time is up or the run is taken away; it must reach the socket. */
  signal: AbortSignal;
  idempotencyKey: string;
  /** W3C Trace Context, of this attempt. */
  traceparent: string;
  /** With the connection's credentials, where there is one. */
  send: SendRequest;
  connection: StepConnection | null;
  now(): Date;
}

/** An approval node as it was reached. */
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
   * Opens the gate's request, once, and asks for its decision.
   * @returns null while nobody has decided
   */
  open(gate: Gate): Promise<GateDecision | null>;
}

export interface SubRunRequest {
  /** Which step, iteration and answered attempt of this run it belongs to. */
  step: string;
  /** Of the action. */
  slug: string;
  input: JsonObject;
  traceparent: string;
}

/** A run that a step of this run started. */
export interface SubRun {
  runId: string;
  isEnded: boolean;
  status: RunStatus;
  output: JsonObject | null;
  error: RunError | null;
}

export interface SubRunPort {
  /**
   * Starts the step's sub-run, once, and tells how it stands.
   * @throws StepError when it cannot be started
   */
  open(request: SubRunRequest): Promise<SubRun>;
}

/** A program of the workflow's author, with the JSON it works on. */
export interface SandboxProgram {
  source: string;
  input: unknown;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Where other people's code runs. */
export interface SandboxPort {
  /**
   * @returns what the code returns
   * @throws StepError
   */
  runCode(program: SandboxProgram): Promise<unknown>;
  /**
   * @returns the expression's value
   * @throws StepError
   */
  evaluateJsonata(program: SandboxProgram): Promise<unknown>;
}

/** What handlers may use of the world. */
export interface StepServices {
  breaker: BreakerPort;
  connections: ConnectionPort;
  gates: GatePort;
  subRuns: SubRunPort;
  sandbox: SandboxPort;
  send: SendRequest;
  now(): Date;
}

/** Everything a run touches outside the rules. */
export interface RunPorts {
  clock: Clock;
  /** Uniform in [0, 1). */
  random(): number;
  journal: JournalPort;
  services: StepServices;
  /** Resolves when a side effect may begin: at once, or when a worker out of touch with the database hears from it again. */
  untilFit(signal: AbortSignal): Promise<void>;
}
