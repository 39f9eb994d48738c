import type { OpenedRun } from "#lib/domain/runs/execute/open-runs";
import { deriveRunContext } from "#lib/domain/runs/traces/derive-run-context";
import { telemetry } from "#lib/platform/telemetry/telemetry";
import { formatTraceparent } from "#lib/support/trace-context";

/**
 * Executes a run in its trace: its log lines name the trace, and its calls and sub-runs continue it. A run that no caller
 * traces is the start of a trace of its own, which the sampler decides on. Without telemetry it only executes.
 */
export function withTrace<T>(run: OpenedRun, execute: (run: OpenedRun) => Promise<T>): Promise<T> {
  const tracing = telemetry();
  if (!tracing) return execute(run);
  const { runId } = run.lease;
  const context = deriveRunContext(tracing, runId, run.traceparent);
  const traced = { ...run, traceparent: formatTraceparent(context) };
  return tracing.work.run({ context, attributes: {}, refusal: null, runId }, () => execute(traced));
}
