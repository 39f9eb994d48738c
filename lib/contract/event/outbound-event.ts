import type { z } from "zod";
import type {
  alertRuleSchema,
  endpointWithSecretSchema,
  eventAttemptSchema,
  eventDeliverySchema,
  eventEndpointSchema,
  eventMailSchema,
} from "#lib/contract/event/outbound-event-schema";

/** What a key's publish loosened (decisions, Controls); also the names of the audit rows. */
export const BREAKING_CHANGE = "action.breaking_change";
export const APPROVAL_REMOVED = "action.approval_removed";

/** The events that a workspace can subscribe to (decisions, Outbound events). */
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
  BREAKING_CHANGE,
  APPROVAL_REMOVED,
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Only sent by the Test button; every endpoint receives it. */
export const TEST_EVENT = "endpoint.test";

/** The events that send mail by default. */
export const MAIL_EVENTS: readonly EventType[] = [
  "run.failed",
  "run.timed_out",
  "run.waiting_for_approval",
  "listener.failed",
  "listener.recovered",
  "alert.fired",
  "alert.recovered",
  BREAKING_CHANGE,
  APPROVAL_REMOVED,
];

/** The events that are emailed only to owners and admins. All others go to every member who may decide. */
export const ADMIN_MAIL_EVENTS: readonly EventType[] = [BREAKING_CHANGE, APPROVAL_REMOVED];

export const EVENT_LIMITS = {
  endpointsPerWorkspace: 20,
  rulesPerWorkspace: 50,
  answerTimeoutMs: 15_000,
  /** The delays before each attempt after the first. After the last attempt, the delivery has failed. */
  retryDelaysMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000],
  /** An endpoint that has not responded for this long is disabled. */
  failingDaysMax: 5,
  /** How long after a rotation the old secret also signs. */
  oldSecretHours: 24,
  failuresInARowMax: 100,
  windowMinutesMax: 1_440,
} as const;

export const ALERT_KINDS = ["failures_in_a_row", "error_rate", "slow"] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** The valid thresholds of a rule, in the unit of its kind: runs, percent, milliseconds. */
export const ALERT_THRESHOLDS: Record<AlertKind, { min: number; max: number; isWhole: boolean }> = {
  failures_in_a_row: { min: 1, max: EVENT_LIMITS.failuresInARowMax, isWhole: true },
  error_rate: { min: 1, max: 100, isWhole: false },
  slow: { min: 1, max: 86_400_000, isWhole: false },
};

export type EventEndpointObject = z.output<typeof eventEndpointSchema>;

/** The raw secret is only in the response to creating and rotating. */
export type EndpointWithSecret = z.output<typeof endpointWithSecretSchema>;

export type EventMailObject = z.output<typeof eventMailSchema>;

export type EventAttempt = z.output<typeof eventAttemptSchema>;

export const EVENT_DELIVERY_STATUSES = ["pending", "succeeded", "failed"] as const;

export type EventDeliveryObject = z.output<typeof eventDeliverySchema>;

export type AlertRuleObject = z.output<typeof alertRuleSchema>;
