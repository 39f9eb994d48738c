import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { closedObject, scalar } from "#lib/core/shapes/shape";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { label } from "#lib/core/steps/node-data";

const { delaySeconds: SECONDS_MAX } = LIMITS;
/** Without a separator, because people copy it into a definition. */
export const SECONDS_RANGE = `a number from 0 to ${SECONDS_MAX}`;
const SECONDS_MESSAGE = `must be ${SECONDS_RANGE}, or a template that produces one`;

const seconds = z.unknown().refine((value) => {
  if (typeof value === "string")
    return value.includes("{{") || isInRange(value.trim() === "" ? Number.NaN : Number(value));
  return typeof value === "number" && isInRange(value);
}, SECONDS_MESSAGE);

export function isInRange(value: number): boolean {
  return value >= 0 && value <= SECONDS_MAX;
}

export const delayKind = defineStepKind({
  type: "delay",
  title: "Delay",
  category: "logic",
  description: "Wait a number of seconds before the next step",
  keywords: "wait sleep pause time seconds",
  data: z.object({ ...label, seconds }),
  newData: () => ({ seconds: 10 }),
  example: { seconds: 5 },
  least: { seconds: 1 },
  output: "{until}",
  outputShape: () => closedObject(["until", scalar("string"), "When the wait ended"]),
  templates: ["seconds"],
  typedFields: (data) => [{ field: "seconds", template: data.seconds, expected: "number" }],
  effects: "waits",
  handler: async () => (await import("#lib/core/steps/delay/delay")).prepareDelay,
});
