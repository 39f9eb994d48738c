/**
 * Returns the W3C Trace Context for one outgoing call: the caller's trace, or a trace derived from the run id, with a
 * new span.
 * @param traceparent as the caller sent it, or null
 * @param random returns a uniformly distributed number in [0, 1)
 */
export function stepTraceparent(traceparent: string | null, runId: string, random: () => number): string {
  const [, traceId, , flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? "") ?? [];
  const half = () =>
    Math.floor(random() * 0xffff_ffff + 1)
      .toString(16)
      .padStart(8, "0");
  return `00-${traceId ?? runId.replaceAll("-", "")}-${half()}${half()}-${flags ?? "00"}`;
}
