import type { JsonObject } from "#lib/contract/json-schema";

/** What starts an event_driven workflow (contract, Triggers). */
export const TRIGGER_KINDS = ["webhook", "schedule", "connector"] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/** decisions, Inbound webhooks: how the sender signs. */
export const WEBHOOK_SCHEMES = ["auto", "standard", "github", "stripe", "slack", "generic"] as const;
export type WebhookScheme = (typeof WEBHOOK_SCHEMES)[number];

/** decisions, Connector events: whether the service calls us or is asked, and how that stands. `off`: nobody wants it. */
export const LISTENER_MODES = ["webhook", "polling"] as const;
export type ListenerMode = (typeof LISTENER_MODES)[number];
export const LISTENER_STATUSES = ["pending", "active", "failed", "off"] as const;
export type ListenerStatus = (typeof LISTENER_STATUSES)[number];

/** How the events of a connector trigger come. */
export interface ListeningObject {
  connector: string;
  event: string;
  connection_id: string;
  /** Null until the service was asked for the first time. */
  mode: ListenerMode | null;
  status: ListenerStatus;
  error: string | null;
  /** Of one that failed: since when, and when it is tried again. */
  failing_since: string | null;
  retry_at: string | null;
  /** When the service was asked, or called, last. */
  last_at: string | null;
}

export const TRIGGER_STATUSES = ["active", "paused"] as const;
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];

/** What became of something that reached a trigger. Only `accepted` made a run of its own. */
export const DELIVERY_VERDICTS = ["accepted", "duplicate", "invalid_signature", "bad_request", "missed"] as const;
export type DeliveryVerdict = (typeof DELIVERY_VERDICTS)[number];

/** The trigger of an activated workflow, as it is deployed. */
export interface TriggerObject {
  subscription_id: string;
  workflow_id: string;
  kind: TriggerKind;
  status: TriggerStatus;
  /** Where a webhook is called; null for the other kinds. */
  url: string | null;
  /** How a webhook that refuses what its secret did not sign is signed; null where it has no secret. */
  scheme: WebhookScheme | null;
  /** Of a schedule: the moment it fires next, the one it fired last, and how many passed without a fire. */
  next_at: string | null;
  last_at: string | null;
  missed: number;
  /** Of a connector trigger; null for the other kinds. */
  listening: ListeningObject | null;
  last_delivery: DeliveryObject | null;
}

/** One row of a trigger's delivery log. */
export interface DeliveryObject {
  delivery_id: string;
  verdict: DeliveryVerdict;
  received_at: string;
  /** Why it was refused, which scheme signed it, which moment it was for. */
  detail: string | null;
  bytes: number | null;
  run_id: string | null;
}

/** Whether the canvas waits for one delivery to the workflow's test address, and what came of it. */
export interface EventTestObject {
  /** Takes one event while somebody listens, and starts nothing. */
  url: string;
  /** Null while nobody listens. */
  remaining_ms: number | null;
  /** Why the last delivery was refused. */
  problem: string | null;
  received_at: string | null;
  /** As `trigger.output` holds it; null until one came. */
  output: JsonObject | null;
}
