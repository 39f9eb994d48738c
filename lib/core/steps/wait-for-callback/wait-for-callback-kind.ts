import { closedObject, type ObjectShape, scalar, UNKNOWN } from "#lib/core/shapes/shape";
import { shapeOfSchema } from "#lib/core/shapes/shape-of-schema";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { isJsonObject } from "#lib/support/json";

const HEADERS: ObjectShape = { kind: "object", fields: new Map(), rest: scalar("string") };

export const waitForCallbackKind = defineStepKind({
  type: "wait_for_callback",
  title: "Wait for callback",
  category: "logic",
  description: "Wait until another system calls this run's callback URL",
  guidance:
    "Steps before it or in parallel pass {{id.callback_url}} on. The first POST to that address with a body that fits schema " +
    "resumes the run. If none arrives in time, the branch expired is taken; if no edge has the handle expired, the run " +
    "times out.",
  keywords: "webhook resume url external async job pause event",
  newData: () => ({ expires_seconds: 86_400 }),
  example: {
    schema: { type: "object", properties: { status: { type: "string" } }, required: ["status"] },
    expires_seconds: 86_400,
  },
  least: { expires_seconds: 3_600 },
  output: "{body, headers, received_at}; also callback_url, which earlier and parallel steps can read",
  outputShape: ({ schema: bodySchema }) =>
    closedObject(
      [
        "body",
        isJsonObject(bodySchema) ? shapeOfSchema(bodySchema) : UNKNOWN,
        "The body of the request, parsed as JSON",
      ],
      ["headers", HEADERS, "The headers of the request that carry no secrets, with names in lowercase"],
      ["received_at", scalar("string"), "When the request arrived"],
      ["callback_url", scalar("string"), "The address; earlier and parallel steps can read it"],
    ),
  branches: () => [
    { handle: "received", label: "Received" },
    { handle: "expired", label: "Expired" },
  ],
  chosenHandle: (output) => (isJsonObject(output) && output.received_at === null ? "expired" : "received"),
  namelessHandle: "received",
  hasAddress: true,
  templates: ["expires_seconds"],
  typedFields: (data) => [{ field: "expires_seconds", template: data.expires_seconds, expected: "number" }],
  repeatsSettings: false,
  effects: "waits",
  waitsFor: "callback",
  handler: async () => (await import("#lib/core/steps/wait-for-callback/wait-for-callback")).prepareWaitForCallback,
});
