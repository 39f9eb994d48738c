import type { GraphNode } from "#lib/contract/graph";
import { StepError } from "#lib/contract/step-error";
import type { PreparedWait } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { delayKind, isInRange, SECONDS_RANGE } from "#lib/core/steps/delay/delay-kind";
import { parseData } from "#lib/core/steps/parse-data";

/**
 * Waits from the moment the step started, even if another worker resumes the run. A run that only waits is parked, and
 * its time limit does not count that.
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
  if (typeof seconds === "number" && isInRange(seconds)) return seconds;
  throw new StepError("VALIDATION_ERROR", `seconds must be ${SECONDS_RANGE}`);
}
