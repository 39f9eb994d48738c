import type { GraphNode } from "#lib/contract/graph";
import { StepError } from "#lib/contract/step-error";
import type { PreparedWait } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { DELAY_SECONDS_MAX, delayKind } from "#lib/core/steps/delay/delay-kind";
import { parseData } from "#lib/core/steps/parse-data";

/**
 * Waits from the moment the step started, even if another worker resumes the run. The wait counts toward the run's time
 * limit.
 */
export function prepareDelay(node: GraphNode): PreparedWait<{ seconds: number }> {
  const { seconds: template } = parseData(delayKind, node);
  return {
    resolveInput: (scope) => ({ seconds: secondsOf(resolveTemplate(template, scope)) }),
    look: ({ seconds }, { waitedMs, services }) => {
      const restMs = seconds * 1000 - waitedMs;
      if (restMs > 0) return { kind: "wait", wait: { kind: "time", ms: restMs } };
      return { kind: "here", output: { until: new Date(services.now().getTime() + restMs).toISOString() } };
    },
  };
}

function secondsOf(value: unknown): number {
  const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof seconds === "number" && seconds >= 0 && seconds <= DELAY_SECONDS_MAX) return seconds;
  throw new StepError("VALIDATION_ERROR", `seconds must be a number from 0 to ${DELAY_SECONDS_MAX}`);
}
