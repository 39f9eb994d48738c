/** What a workspace can be told of (decisions, Outbound events). */
export const EVENT_TYPES = [
  "run.succeeded",
  "run.failed",
  "run.timed_out",
  "run.cancelled",
  "run.waiting_for_approval",
  "circuit.opened",
  "schedule.missed",
  "listener.failed",
  "listener.recovered",
  "alert.fired",
  "alert.recovered",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Sent by the Test button alone; every endpoint takes it. */
export const TEST_EVENT = "endpoint.test";

/** What mail tells of until somebody chooses otherwise. */
export const MAIL_EVENTS: readonly EventType[] = [
  "run.failed",
  "run.timed_out",
  "run.waiting_for_approval",
  "listener.failed",
  "listener.recovered",
  "alert.fired",
  "alert.recovered",
];

export const EVENT_LIMITS = {
  endpointsPerWorkspace: 20,
  rulesPerWorkspace: 50,
  answerTimeoutMs: 15_000,
  /** Before each attempt after the first; after the last one the delivery has failed. */
  retryDelaysMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000],
  /** An endpoint that answered nothing for so long is switched off. */
  failingDaysMax: 5,
  /** For so long after a rotation the old secret signs too. */
  oldSecretHours: 24,
  failuresInARowMax: 100,
  windowMinutesMax: 1_440,
} as const;

export const ALERT_KINDS = ["failures_in_a_row", "error_rate", "slow"] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What a rule's threshold may be, in its kind's own unit: runs, percent, milliseconds. */
export const ALERT_THRESHOLDS: Record<AlertKind, { min: number; max: number; isWhole: boolean }> = {
  failures_in_a_row: { min: 1, max: EVENT_LIMITS.failuresInARowMax, isWhole: true },
  error_rate: { min: 1, max: 100, isWhole: false },
  slow: { min: 1, max: 86_400_000, isWhole: false },
};

export interface EventEndpointObject {
  endpoint_id: string;
  name: string;
  url: string;
  events: EventType[];
  is_enabled: boolean;
  /** Why the service itself switched it off. */
  disabled_reason: string | null;
  failing_since: string | null;
  created_at: string;
}

/** The raw secret is in the answer to creating and rotating, and never again. */
export interface EndpointWithSecret extends EventEndpointObject {
  secret: string;
}

export interface EventMailObject {
  /** SMTP_URL is set. */
  is_configured: boolean;
  events: EventType[];
}

export interface EventAttempt {
  at: string;
  /** Of the answer; null when none came. */
  status: number | null;
  latency_ms: number;
  error: string | null;
}

export const EVENT_DELIVERY_STATUSES = ["pending", "succeeded", "failed"] as const;
export type EventDeliveryStatus = (typeof EVENT_DELIVERY_STATUSES)[number];

export interface EventDeliveryObject {
  delivery_id: string;
  event_id: string;
  type: EventType | typeof TEST_EVENT;
  status: EventDeliveryStatus;
  run_id: string | null;
  attempts: EventAttempt[];
  /** Null when nothing more is tried. */
  next_attempt_at: string | null;
  created_at: string;
}

export interface AlertRuleObject {
  rule_id: string;
  workflow_id: string | null;
  workflow_name: string | null;
  kind: AlertKind;
  threshold: number;
  window_minutes: number;
  min_runs: number;
  is_enabled: boolean;
  /** Workflows for which it has fired and not recovered. */
  firing: { workflow_id: string; workflow_name: string; value: number; fired_at: string }[];
}
