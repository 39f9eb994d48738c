import { z } from "zod";
import type { PropertyType } from "#lib/contract/json-schema";
import { defineStepKind, type OutputField } from "#lib/core/steps/define-step-kind";
import { label } from "#lib/core/steps/node-data";
import { triggerConfig } from "#lib/core/steps/trigger/trigger-data";

export const triggerKind = defineStepKind({
  type: "trigger",
  title: "Trigger",
  category: "trigger",
  description: "Start automatically, on a webhook, a schedule or an event",
  guidance: "An event_driven workflow has exactly one. Such a workflow has no slug, and a person deploys it.",
  keywords: "start entry webhook schedule cron event interval timer http",
  data: z.object(label).and(triggerConfig),
  newData: () => ({ kind: "webhook", scheme: "auto" }),
  example: { kind: "schedule", mode: "cron", expression: "0 9 * * 1-5", timezone: "UTC" },
  least: { kind: "webhook" },
  output: "{output: {body, timestamp}} and the like: {{trigger.output.body}}",
  outputFields: ({ kind }) => eventFields(kind),
  templates: [],
  starts: "event_driven",
  fitsInLoop: false,
  max: 1,
  effects: "none",
  handler: async () => (await import("#lib/core/steps/trigger/trigger")).prepareTrigger,
});

type EventField = readonly [name: string, type: PropertyType | null, description: string];

const EVENT_FIELDS: Readonly<Record<string, readonly EventField[]>> = {
  webhook: [
    ["body", null, "What was sent, as JSON"],
    ["timestamp", "string", "When it was received"],
  ],
  schedule: [
    ["timestamp", "string", "The moment it was due"],
    ["scheduleType", "string", "interval or cron"],
    ["expression", "string", "The cron expression, or every <N>s"],
  ],
  connector: [
    ["data", "object", "What happened, as the service reports it"],
    ["event", "string", "Which event it was"],
    ["id", "string", "The same for every delivery of one event"],
    ["occurred_at", "string", "When it happened, if the service says so"],
    ["received_at", "string", "When it was received"],
    ["connector", "string", "The service"],
    ["connection_id", "string", "The connection it came by"],
  ],
};

/** What an event brings, all of it below `output`. */
function eventFields(kind: unknown): OutputField[] {
  const known = typeof kind === "string" && Object.hasOwn(EVENT_FIELDS, kind) ? EVENT_FIELDS[kind] : undefined;
  if (known === undefined) return [{ path: ["output"], type: "object", description: "What came with the event" }];
  return known.map(([name, type, description]) => ({ path: ["output", name], type, description }));
}
