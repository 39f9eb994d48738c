import type { z } from "zod";
import type {
  deliverySchema,
  eventTestSchema,
  listeningSchema,
  sampleAnswerSchema,
  triggerSchema,
} from "#lib/contract/trigger/trigger-schema";
import { WEBHOOK_SENDER_NAMES } from "#lib/contract/webhooks/senders";

/** The kinds of trigger that start an event_driven workflow (contract, Triggers; decisions, Forms). */
export const TRIGGER_KINDS = ["webhook", "schedule", "connector", "form", "failure"] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/** decisions, Inbound webhooks: how the sender proves itself. */
export const WEBHOOK_SCHEMES = ["auto", ...WEBHOOK_SENDER_NAMES, "generic", "custom"] as const;
export type WebhookScheme = (typeof WEBHOOK_SCHEMES)[number];

/** The methods with which a URL can start runs. A HEAD request only checks it. */
export const WEBHOOK_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type WebhookMethod = (typeof WEBHOOK_METHODS)[number];

/** decisions, Inbound webhooks: what the sender gets, the acknowledgment of its event or what the run returns. */
export const WEBHOOK_RESPONSES = ["accepted", "result"] as const;
export type WebhookResponseMode = (typeof WEBHOOK_RESPONSES)[number];

/**
 * decisions, Connector events: whether the service calls us or is polled, and the state of the listener. `off`: no
 * trigger needs it.
 */
export const LISTENER_MODES = ["webhook", "polling"] as const;
export type ListenerMode = (typeof LISTENER_MODES)[number];
export const LISTENER_STATUSES = ["pending", "active", "failed", "off"] as const;
export type ListenerStatus = (typeof LISTENER_STATUSES)[number];

/** How the events of a connector trigger arrive. */
export type ListeningObject = z.output<typeof listeningSchema>;

export const TRIGGER_STATUSES = ["active", "paused"] as const;
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];

/** The result of a delivery to a trigger. Only `accepted` created a run. */
export const DELIVERY_VERDICTS = [
  "accepted",
  "duplicate",
  "invalid_signature",
  "bad_request",
  "missed",
  "over_run_limit",
  "over_run_quota",
] as const;
export type DeliveryVerdict = (typeof DELIVERY_VERDICTS)[number];

/** The deployed trigger of an activated workflow. */
export type TriggerObject = z.output<typeof triggerSchema>;

/** One row of a trigger's delivery log. */
export type DeliveryObject = z.output<typeof deliverySchema>;

/** What a webhook answered to a sample event. */
export type SampleAnswer = z.output<typeof sampleAnswerSchema>;

/** Whether the canvas is waiting for a delivery to the workflow's test address, and the result. */
export type EventTestObject = z.output<typeof eventTestSchema>;
