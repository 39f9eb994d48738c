import { closedObject, scalar } from "#lib/core/shapes/shape";
import { defineStepKind } from "#lib/core/steps/define-step-kind";

export const delayKind = defineStepKind({
  type: "delay",
  title: "Delay",
  category: "logic",
  description: "Wait for a number of seconds or until a set time",
  guidance:
    "Give either seconds or until, a time in ISO 8601. Without an offset, until is a local time in timezone (default " +
    "UTC). If until is in the past, the run continues immediately. If it is more than 30 days ahead, the step fails.",
  keywords: "wait sleep pause time seconds until date schedule later",
  newData: () => ({ seconds: 10 }),
  example: { seconds: 5 },
  least: { seconds: 1 },
  output: "{until}",
  outputShape: () => closedObject(["until", scalar("string"), "When the wait ended"]),
  templates: ["seconds", "until"],
  typedFields: (data) => [
    { field: "seconds", template: data.seconds, expected: "number" },
    { field: "until", template: data.until, expected: "string" },
  ],
  repeatsSettings: false,
  effects: "waits",
  waitsFor: "time",
  handler: async () => (await import("#lib/core/steps/delay/delay")).prepareDelay,
});
