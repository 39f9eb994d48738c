import type { JournalEvent } from "#lib/contract/journal";
import type { StepError } from "#lib/contract/step-error";
import type { SendRequest } from "#lib/engine/outgoing-request";

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
  /** True when sending the request twice does no more than sending it once: then a TIMEOUT may be retried. */
  isIdempotent(params: unknown): boolean;
  /**
   * @param params with every template resolved
   * @returns the step's output
   * @throws StepError
   */
  call(params: unknown, context: OperationContext): Promise<unknown>;
}

export interface OperationContext {
  /** Aborted when the attempt's time is up or the run is taken away; it must reach the socket. */
  signal: AbortSignal;
  idempotencyKey: string;
  /** W3C Trace Context, of this attempt. */
  traceparent: string;
  send: SendRequest;
  now(): Date;
}

/** What handlers may use of the world. */
export interface StepServices {
  breaker: BreakerPort;
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
