/** What starts an event_driven workflow (contract, Events that start workflows). */
export const TRIGGER_KINDS = ["webhook", "schedule", "connector"] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/** decisions, Inbound webhooks: how the sender signs. */
export const WEBHOOK_SCHEMES = ["auto", "standard", "github", "stripe", "slack", "generic"] as const;
export type WebhookScheme = (typeof WEBHOOK_SCHEMES)[number];

export const TRIGGER_STATUSES = ["active", "paused"] as const;
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];

/** What became of something that reached a trigger. Only `accepted` made a run of its own. */
export type DeliveryVerdict = "accepted" | "duplicate" | "invalid_signature" | "bad_request" | "missed";

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
