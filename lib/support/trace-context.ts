import { hash, randomBytes } from "node:crypto";

/** The position of a span in a trace (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** True if the trace is recorded. */
  isSampled: boolean;
}

/** W3C Trace Context, version 00. Any other value is ignored, as the specification requires. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Reads a `traceparent` header, or returns null if there is no valid one. */
export function parseTraceparent(text: string | null | undefined): TraceContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text ?? "") ?? [];
  if (!traceId || !spanId || !flags) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

export function newTraceId(): string {
  return randomBytes(16).toString("hex");
}

export function newSpanId(): string {
  return randomBytes(8).toString("hex");
}

/** Returns the span id of something that has a name: the same in every process, at any time. */
export function spanIdOf(...names: readonly (string | number)[]): string {
  return hash("sha256", names.join("|"), "hex").slice(0, 16);
}
