import { z } from "zod";
import { countSchema, jsonObjectSchema, momentSchema } from "#lib/contract/schemas/wire-values";
import {
  DELIVERY_VERDICTS,
  LISTENER_MODES,
  LISTENER_STATUSES,
  TRIGGER_KINDS,
  TRIGGER_STATUSES,
  WEBHOOK_SCHEMES,
} from "#lib/contract/trigger";

export const listeningSchema = z.object({
  connector: z.string(),
  event: z.string(),
  connection_id: z.uuid(),
  mode: z.enum(LISTENER_MODES).nullable().describe("Null until the service was asked for the first time."),
  status: z.enum(LISTENER_STATUSES),
  error: z.string().nullable(),
  failing_since: momentSchema.nullable(),
  retry_at: momentSchema.nullable().describe("When a listener that failed is tried again."),
  last_at: momentSchema.nullable().describe("When the service was last asked, or last called."),
});

export const deliverySchema = z.object({
  delivery_id: z.uuid(),
  verdict: z.enum(DELIVERY_VERDICTS),
  received_at: momentSchema,
  detail: z.string().nullable().describe("Why it was refused, which scheme signed it, which moment it was for."),
  bytes: countSchema.nullable(),
  run_id: z.uuid().nullable(),
});

export const triggerSchema = z.object({
  subscription_id: z.uuid(),
  workflow_id: z.uuid(),
  kind: z.enum(TRIGGER_KINDS),
  status: z.enum(TRIGGER_STATUSES),
  url: z.string().nullable().describe("Where a webhook is called; null for the other kinds."),
  scheme: z
    .enum(WEBHOOK_SCHEMES)
    .nullable()
    .describe("How the calls of a webhook with a secret are signed; null without a secret."),
  next_at: momentSchema.nullable().describe("When a schedule fires next."),
  last_at: momentSchema.nullable().describe("When a schedule fired last."),
  missed: countSchema.describe("How many moments of a schedule passed without a fire."),
  listening: listeningSchema.nullable().describe("Of a connector trigger; null for the other kinds."),
  last_delivery: deliverySchema.nullable(),
});

export const eventTestSchema = z.object({
  url: z.string().describe("Takes one event while someone listens, and starts nothing."),
  remaining_ms: z.number().nullable().describe("Null while no one listens."),
  problem: z.string().nullable().describe("Why the last delivery was refused."),
  received_at: momentSchema.nullable(),
  output: jsonObjectSchema.nullable().describe("As trigger.output holds it; null until an event arrived."),
});
