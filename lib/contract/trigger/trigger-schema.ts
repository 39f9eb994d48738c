import { z } from "zod";
import {
  DELIVERY_VERDICTS,
  LISTENER_MODES,
  LISTENER_STATUSES,
  TRIGGER_KINDS,
  TRIGGER_STATUSES,
  WEBHOOK_SCHEMES,
} from "#lib/contract/trigger/trigger";
import { countSchema, jsonObjectSchema, momentSchema } from "#lib/contract/wire/wire-values";

export const listeningSchema = z.object({
  connector: z.string(),
  event: z.string(),
  connection_id: z.uuid(),
  mode: z.enum(LISTENER_MODES).nullable().describe("Null until the service was polled for the first time."),
  status: z.enum(LISTENER_STATUSES),
  error: z.string().nullable(),
  failing_since: momentSchema.nullable(),
  retry_at: momentSchema.nullable().describe("When a failed listener is tried again."),
  last_at: momentSchema.nullable().describe("When the service was last polled, or last called."),
});

export const deliverySchema = z.object({
  delivery_id: z.uuid(),
  verdict: z.enum(DELIVERY_VERDICTS),
  received_at: momentSchema,
  detail: z
    .string()
    .nullable()
    .describe("Details: why it was refused, which scheme signed it, or which moment it was for."),
  bytes: countSchema.nullable(),
  run_id: z.uuid().nullable(),
});

export const triggerSchema = z.object({
  subscription_id: z.uuid(),
  workflow_id: z.uuid(),
  kind: z.enum(TRIGGER_KINDS),
  status: z.enum(TRIGGER_STATUSES),
  url: z.string().nullable().describe("The URL of a webhook or a form; null for other kinds."),
  scheme: z
    .enum(WEBHOOK_SCHEMES)
    .nullable()
    .describe("How calls of a webhook with a secret are signed; null without a secret."),
  next_at: momentSchema.nullable().describe("When a schedule fires next."),
  last_at: momentSchema.nullable().describe("When a schedule fired last."),
  missed: countSchema.describe("How many scheduled moments passed without a fire."),
  listening: listeningSchema.nullable().describe("For a connector trigger; null for other kinds."),
  last_delivery: deliverySchema.nullable(),
});

export const sampleAnswerSchema = z.object({
  url: z.string(),
  status: z.int().nullable().describe("The HTTP status; null if no answer came."),
  answer: z.string().nullable().describe("The start of the answer's body."),
  run_id: z.uuid().nullable().describe("The run that the event started."),
  error: z.string().nullable().describe("Why no answer came."),
});

export const eventTestSchema = z.object({
  url: z.string().describe("Receives one event while someone is listening, and starts no run."),
  remaining_ms: z.number().nullable().describe("Null while no one is listening."),
  problem: z.string().nullable().describe("Why the last delivery was refused."),
  received_at: momentSchema.nullable(),
  output: jsonObjectSchema.nullable().describe("The event, as in trigger.output; null until an event arrived."),
});
