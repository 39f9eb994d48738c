import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { RunSource } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { type PreparedInput, sanitize } from "#lib/core/redaction/sanitize";
import { type CreatedRun, createRuns } from "#lib/domain/runs/create/create-runs";
import { type NewRun, newRun } from "#lib/domain/runs/create/new-run";
import { notifyEndedRuns } from "#lib/domain/runs/notify/notify-ended-runs";
import type { Subscription } from "#lib/domain/triggers/subscription";
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
  moment?: NewRun["moment"];
}

/**
 * Creates the run of an event, once (`prisma/functions/check_events.sql`): its outcome is accepted, duplicate, stale or
 * taken.
 * @throws ApiError SERVICE_UNAVAILABLE while the same event is being accepted; RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED if
 * the event is one to refuse
 */
export async function acceptEvent(event: TriggerEvent): Promise<CreatedRun> {
  const [accepted] = await createRuns([runOfEvent(event)]);
  if (!accepted) throw new Error("an event has no answer");
  if (accepted instanceof ApiError) throw accepted;
  await announceFailed(event.subscription.workspaceId, [accepted]);
  return accepted;
}

/** Notifies pages of events' runs that failed above a limit. Called after announceRuns, which reports the others. */
export function announceFailed(workspaceId: string, made: readonly (CreatedRun | ApiError)[]): Promise<void> {
  const failed = made.flatMap((one) =>
    "outcome" in one && one.outcome === "accepted" && one.hasFailed ? [{ id: one.runId, workspaceId }] : [],
  );
  return notifyEndedRuns(failed);
}

/** Describes the run that an event starts. */
export function runOfEvent({
  subscription,
  source,
  input,
  traceparent,
  facts,
  overLimit,
  ...event
}: TriggerEvent): NewRun {
  const { id: subscriptionId, workspaceId, workflowId, versionId, plan, ownerId } = subscription;
  const target = { workflowId, versionId, action: null, inputSchema: null };
  return {
    ...newRun(
      {
        workspaceId,
        plan,
        source,
        dryRun: false,
        target,
        userId: ownerId,
        subscriptionId,
        traceparent: traceparent ?? undefined,
        overLimit,
      },
      input,
    ),
    delivery: {
      id: uuidv7(),
      subscription_id: subscriptionId,
      workspace_id: workspaceId,
      dedupe_key: event.dedupeKey,
      request: sanitize(facts),
    },
    dedupe_hours: event.dedupeHours ?? LIMITS.deliveryIdHours,
    moment: event.moment ?? null,
  };
}
