import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { PreparedWait } from "#lib/core/engine/plan";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { delayData, MOMENT_FORMAT, SECONDS_RANGE, secondsIn } from "#lib/core/steps/delay/delay-data";
import { readMoment } from "#lib/core/steps/delay/read-moment";
import { parseData } from "#lib/core/steps/parse-data";

type DelayInput = { seconds: number } | { until: string };

const SECONDS_MAX = LIMITS.delaySeconds;

/**
 * Waits from the moment the step started, or until a time, even if another worker resumes the run. A run that only waits
 * is parked, and its time limit does not count that.
 */
export function prepareDelay(node: GraphNode): PreparedWait<DelayInput> {
  const { seconds, until, timezone } = parseData(delayData, node);
  return {
    resolveInput: (scope, _runInput, unresolved) => {
      const resolve = (field: string, template: unknown) =>
        resolveTemplate(template, scope, templateBudget(unresolved), field);
      return until == null
        ? { seconds: secondsOf(resolve("seconds", seconds)) }
        : { until: momentOf(resolve("until", until), timezone ?? "UTC") };
    },
    look: (input, { waitedMs, services }) => {
      const nowMs = services.now().getTime();
      const restMs = "seconds" in input ? input.seconds * 1000 - waitedMs : Date.parse(input.until) - nowMs;
      if (restMs > SECONDS_MAX * 1000) throw tooFar(input);
      if (restMs > 0) return { kind: "wait", wait: { kind: "time", ms: restMs } };
      return { kind: "here", output: { until: new Date(nowMs + restMs).toISOString() } };
    },
  };
}

function secondsOf(value: unknown): number {
  const seconds = secondsIn(value);
  if (seconds !== null) return seconds;
  throw new StepError("VALIDATION_ERROR", `seconds must be ${SECONDS_RANGE}`);
}

function momentOf(value: unknown, timezone: string): string {
  const ms = typeof value === "string" ? readMoment(value, timezone) : null;
  if (ms === null) throw new StepError("VALIDATION_ERROR", `until must be ${MOMENT_FORMAT}`);
  return new Date(ms).toISOString();
}

function tooFar(input: DelayInput): StepError {
  const until = "until" in input ? input.until : "";
  return new StepError("VALIDATION_ERROR", `until must be at most ${SECONDS_MAX / 86_400} days ahead, not ${until}`);
}
