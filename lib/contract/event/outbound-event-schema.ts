import { z } from "zod";
import { ALERT_KINDS, EVENT_DELIVERY_STATUSES, EVENT_TYPES, TEST_EVENT } from "#lib/contract/event/outbound-event";
import { countSchema, momentSchema } from "#lib/contract/wire/wire-values";

export const eventEndpointSchema = z.object({
  endpoint_id: z.uuid(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  is_enabled: z.boolean(),
  disabled_reason: z.string().nullable().describe("Why Signalbox disabled the endpoint."),
  failing_since: momentSchema.nullable(),
  created_at: momentSchema,
});

export const endpointWithSecretSchema = eventEndpointSchema.extend({ secret: z.string() });

export const eventMailSchema = z.object({
  is_configured: z.boolean().describe("True if SMTP_URL is set."),
  events: z.array(z.enum(EVENT_TYPES)),
});

export const eventAttemptSchema = z.object({
  at: momentSchema,
  status: z.int().nullable().describe("The status of the response; null if there was none."),
  latency_ms: z.number(),
  error: z.string().nullable(),
});

export const eventDeliverySchema = z.object({
  delivery_id: z.uuid(),
  event_id: z.string(),
  type: z.enum([...EVENT_TYPES, TEST_EVENT]),
  status: z.enum(EVENT_DELIVERY_STATUSES),
  run_id: z.uuid().nullable(),
  attempts: z.array(eventAttemptSchema),
  next_attempt_at: momentSchema.nullable().describe("Null if there are no more attempts."),
  created_at: momentSchema,
});

export const alertRuleSchema = z.object({
  rule_id: z.uuid(),
  workflow_id: z.uuid().nullable(),
  workflow_name: z.string().nullable(),
  kind: z.enum(ALERT_KINDS),
  threshold: z.number(),
  window_minutes: countSchema,
  min_runs: countSchema,
  is_enabled: z.boolean(),
  firing: z
    .array(z.object({ workflow_id: z.uuid(), workflow_name: z.string(), value: z.number(), fired_at: momentSchema }))
    .describe("The workflows for which the rule has fired and not recovered."),
});
