import { ApiError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { PLANS } from "#lib/contract/plans";
import { isFailure, RUN_STATUSES, type RunSource } from "#lib/contract/run";
import type { PreparedInput } from "#lib/core/redaction/prepare-input";
import { sanitize } from "#lib/core/redaction/sanitize";
import { newRunParameters } from "#lib/domain/runs/create/insert-run";
import { limitErrors, limitRefusal, runLimits } from "#lib/domain/runs/create/run-limits";
import { notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import { type NewRunColumns, NO_VALUES } from "#lib/domain/runs/read/run-row";
import type { Subscription } from "#lib/domain/triggers/subscription";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import {
  bytea,
  enumOf,
  integer,
  jsonb,
  jsonbText,
  nullable,
  type ParamsOf,
  type RowOf,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { announceJob } from "#lib/platform/jobs/announce-jobs";
import { currentTraceparent } from "#lib/platform/telemetry/telemetry";
import { uuidv7 } from "#lib/support/ids";

/** The sources of runs that an event starts. */
export const EVENT_SOURCES = ["webhook", "schedule"] as const satisfies RunSource[];

export interface TriggerEvent {
  subscription: Subscription;
  source: (typeof EVENT_SOURCES)[number];
  /** An object with the value of `trigger.output` in the workflow. */
  input: PreparedInput;
  /** Identifies a repetition within `dedupeHours` (a day); null if every event is unique. */
  dedupeKey: string | null;
  dedupeHours?: number;
  /** Of the request that brought it; null if the caller sent none. Without one, the run starts a trace. */
  traceparent?: string | null;
  /** Recorded in the delivery log. */
  facts: JsonObject;
  /**
   * What happens above the owner's limit or the monthly quota: an event with a sender is refused and leaves no run; any
   * other becomes a run that fails before any step (decisions, Runs: user limit).
   */
  overLimit: "refuse" | "fail";
  /** Set for a schedule. */
  moment?: { expected: Date; fired: Date; nextAt: Date | null; missed: number };
}

export type AcceptedEvent =
  | { outcome: "accepted"; runId: string }
  /** The run of the first delivery; null if it is no longer stored. */
  | { outcome: "duplicate"; runId: string | null }
  /** The subscription has changed since it was read, and nothing was written. */
  | { outcome: "stale" }
  /** Another worker has fired the schedule for this moment. */
  | { outcome: "taken" };

const ACCEPT_EVENT_PARAMS = {
  delivery: jsonb<object>(),
  dedupeHours: integer,
  plan: enumOf(PLANS),
  moment: nullable(jsonb<object>()),
  run: jsonbText,
  sealedInput: nullable(bytea),
  userLimit: integer,
  monthLimit: nullable(integer),
  refusal: nullable(jsonb<object>()),
  job: jsonbText,
  refusedPerMinute: integer,
};

const ACCEPT_EVENT_ROW = {
  outcome: enumOf(["accepted", "duplicate", "stale", "taken", "user_limit", "month_limit"]),
  run_id: nullable(uuid),
  run_status: nullable(enumOf(RUN_STATUSES)),
  retry_after: nullable(integer),
};

const callAcceptEvent = defineStatement({
  name: "accept_event",
  params: ACCEPT_EVENT_PARAMS,
  row: ACCEPT_EVENT_ROW,
  // If a run has left the hour since the refusal, the next second is soon enough.
  sql: `select made.*, case when made.outcome = 'user_limit' then coalesce(
          seconds_until_run(($5::jsonb ->> 'user_id')::uuid, $7, ($5::jsonb ->> 'event_limit')::integer), 1)
          end as retry_after
        from accept_event($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) made`,
});

/**
 * Creates the run of an event, once (`prisma/functions/accept_event.sql`), in one round trip and one commit.
 * @throws ApiError SERVICE_UNAVAILABLE while the same event is being accepted; RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED if
 * the event is one to refuse
 */
export async function acceptEvent(event: TriggerEvent): Promise<AcceptedEvent> {
  const written = await writeEvent(db(), event);
  await announceEvent(written);
  return written.accepted;
}

/** An accepted event, and what to announce once it is committed. */
export interface WrittenEvent {
  accepted: AcceptedEvent;
  workspaceId: string;
  hasFailed: boolean;
}

/**
 * Accepts an event within a transaction. Call announceEvent after the commit.
 * @throws ApiError like acceptEvent
 */
export async function writeEvent(tx: Db, event: TriggerEvent): Promise<WrittenEvent> {
  const { workspaceId } = event.subscription;
  const row = await callAcceptEvent.one(tx, parametersOf(event)).catch((error: unknown) => {
    // accept_event waits for an equal delivery until its lock_timeout.
    if (!isDatabaseFault(error, "lock_not_available")) throw error;
    const message = "The same delivery is being accepted. Try again shortly.";
    throw new ApiError("event_in_progress", message, { retryAfterSeconds: 1, cause: error });
  });
  return {
    accepted: acceptedOf(row, event.subscription),
    workspaceId,
    hasFailed: row.run_status !== null && isFailure(row.run_status),
  };
}

function acceptedOf(row: RowOf<typeof ACCEPT_EVENT_ROW>, { plan }: Subscription): AcceptedEvent {
  const { outcome, run_id: runId, retry_after: retryAfterSeconds } = row;
  if (outcome === "user_limit" || outcome === "month_limit") {
    throw limitRefusal({ limit: outcome, plan, isEvent: true, retryAfterSeconds });
  }
  if (outcome !== "accepted") return outcome === "duplicate" ? { outcome, runId } : { outcome };
  if (runId === null) throw new Error("accept_event created a run without an id");
  return { outcome, runId };
}

/** Notifies the workers of a new run's job, or the pages if the run has already failed. */
export async function announceEvent({ accepted, workspaceId, hasFailed }: WrittenEvent): Promise<void> {
  if (accepted.outcome !== "accepted") return;
  if (!hasFailed) announceJob();
  else await notifyRuns([{ id: accepted.runId, workspaceId }], { haveEnded: true });
}

function parametersOf({
  subscription,
  source,
  input,
  dedupeKey,
  dedupeHours,
  traceparent,
  facts,
  overLimit,
  moment,
}: TriggerEvent): ParamsOf<typeof ACCEPT_EVENT_PARAMS> {
  const limits = runLimits(subscription.plan);
  const runId = uuidv7();
  const columns: Omit<NewRunColumns, "input"> = {
    ...NO_VALUES,
    id: runId,
    workspace_id: subscription.workspaceId,
    workflow_id: subscription.workflowId,
    workflow_version_id: subscription.versionId,
    definition: null,
    source,
    status: "accepted",
    dry_run: false,
    correlation_id: runId,
    traceparent: traceparent ?? currentTraceparent() ?? null,
    user_id: subscription.ownerId,
    subscription_id: subscription.id,
  };
  const run = newRunParameters(columns, input, { announcesJob: true, limits });
  const delivery = {
    id: uuidv7(),
    subscription_id: subscription.id,
    workspace_id: subscription.workspaceId,
    dedupe_key: dedupeKey,
    request: sanitize(facts),
  };
  return {
    delivery,
    dedupeHours: dedupeHours ?? LIMITS.deliveryIdHours,
    plan: subscription.plan,
    moment: moment ? { ...moment, nextAt: undefined, next_at: moment.nextAt } : null,
    run: run.columns,
    sealedInput: run.sealedInput,
    userLimit: limits.perUserPerHour,
    monthLimit: limits.perMonth,
    refusal: overLimit === "fail" ? limitErrors(limits) : null,
    job: run.job,
    refusedPerMinute: LIMITS.refusedDeliveriesPerMinute,
  };
}
