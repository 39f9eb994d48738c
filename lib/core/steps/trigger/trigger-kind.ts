import type { JsonObject, PropertyType } from "#lib/contract/wire/json-schema";
import { ANY_OBJECT, closedObject, type Shape, scalar, shapeOfType } from "#lib/core/shapes/shape";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { formShape } from "#lib/core/steps/trigger/form/form-shape";

export const triggerKind = defineStepKind({
  type: "trigger",
  title: "Trigger",
  category: "trigger",
  description:
    "Start a run automatically: on a webhook, a schedule, a form, an event in a connected service, or a failed run",
  guidance:
    "An event_driven workflow has exactly one trigger. The workflow has no slug, and a person has to publish it.",
  keywords: "start entry webhook schedule cron event interval timer http form survey page failure error",
  newData: () => ({ kind: "webhook", scheme: "auto" }),
  example: { kind: "schedule", mode: "cron", expression: "0 9 * * 1-5", timezone: "UTC" },
  least: { kind: "webhook" },
  output: "{output: {…}}, for a webhook or form {output: {body, timestamp}}, read as {{trigger.output.body}}",
  outputShape: eventShape,
  templates: [],
  starts: "event_driven",
  fitsInLoop: false,
  max: 1,
  repeatsSettings: false,
  effects: "none",
  handler: async () => (await import("#lib/core/steps/trigger/trigger")).prepareTrigger,
});

type EventField = readonly [name: string, type: PropertyType | Shape | null, description: string];

const TEXT = scalar("string");

const FAILED_RUN = closedObject(
  ["id", TEXT, "The id of the run"],
  ["workflow_id", TEXT, "The id of its workflow"],
  ["workflow_name", TEXT, "The name of its workflow"],
  ["action_slug", TEXT, "The slug of its action, if it ran one"],
  ["source", TEXT, "What started it, such as action or schedule"],
  [
    "error",
    closedObject(
      ["code", TEXT, "The code of the error"],
      ["message", TEXT, "The message of the error"],
      ["step_id", TEXT, "The id of the step that failed"],
      ["step_name", TEXT, "The name of the step that failed"],
    ),
    "Why it failed",
  ],
  ["started_at", TEXT, "When it started"],
  ["completed_at", TEXT, "When it ended"],
  ["url", TEXT, "The page of the run"],
);

const EVENT_FIELDS: Readonly<Record<string, readonly EventField[]>> = {
  webhook: [
    ["body", null, "The request body, as JSON"],
    ["timestamp", "string", "When the request was received"],
  ],
  form: [
    ["body", "object", "The values of the form's fields"],
    ["timestamp", "string", "When the form was sent"],
  ],
  schedule: [
    ["timestamp", "string", "When the run was due"],
    ["scheduleType", "string", "interval or cron"],
    ["expression", "string", "The cron expression, or every <N>s"],
  ],
  connector: [
    ["data", "object", "The event's data, as the service sends it"],
    ["event", "string", "The name of the event"],
    ["id", "string", "The id of the event, the same for every delivery"],
    ["occurred_at", "string", "When the event happened, if the service reports it"],
    ["received_at", "string", "When the event was received"],
    ["connector", "string", "The connector of the service"],
    ["connection_id", "string", "The id of the connection that received the event"],
  ],
  failure: [
    ["run", FAILED_RUN, "The run that failed"],
    ["timestamp", "string", "When it failed"],
  ],
};

/** The fields of an event, by the kind of its trigger. */
export const EVENT_FIELD_NAMES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(EVENT_FIELDS).map(([kind, fields]) => [kind, fields.map(([name]) => name)]),
);

/** Returns the shape of an event: its fields are all below `output`. */
function eventShape({ kind, fields }: JsonObject): Shape {
  const known = typeof kind === "string" && Object.hasOwn(EVENT_FIELDS, kind) ? EVENT_FIELDS[kind] : undefined;
  const shapes = known?.map(([name, type, description]) => {
    const shape = kind === "form" && name === "body" ? formShape(fields) : shapeOf(type);
    return [name, shape, description] as const;
  });
  return closedObject(["output", shapes ? closedObject(...shapes) : ANY_OBJECT, "The data of the event"]);
}

function shapeOf(type: EventField[1]): Shape {
  return type === null || typeof type === "string" ? shapeOfType(type) : type;
}
