import { ApiError } from "#lib/contract/error/api-error";
import { RUN_SOURCES, type RunError } from "#lib/contract/run/run";
import { prepareInput } from "#lib/core/redaction/sanitize";
import { announceRuns, createRuns } from "#lib/domain/runs/create/create-runs";
import { announceFailed, runOfEvent } from "#lib/domain/triggers/deliveries/accept-event";
import { SELECT_SUBSCRIPTIONS, SUBSCRIPTION_ROW, toSubscription } from "#lib/domain/triggers/subscription";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import {
  array,
  enumOf,
  filled,
  jsonb,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/pool";

/** The most events in one turn. If there are more, the next turn follows at once. */
const BATCH = 100;

/** SQL condition: a workflow has to start because a run failed. */
export const IS_FAILURE_WAITING = "exists (select 1 from failure_events)";

const takeEvent = defineStatement({
  name: "take_failure_event",
  params: { without: array(uuid) },
  row: { runId: uuid, subscriptionId: uuid },
  sql: `delete from failure_events e using (
          select run_id, subscription_id from failure_events where run_id <> all($1)
          order by run_id limit 1 for update skip locked) due
        where e.run_id = due.run_id and e.subscription_id = due.subscription_id
        returning e.run_id as "runId", e.subscription_id as "subscriptionId"`,
  isPrepared: false,
});

const FAILURE_ROW = {
  ...SUBSCRIPTION_ROW,
  run_id: uuid,
  failed_workflow_id: uuid,
  workflow_name: nullable(text),
  action_slug: nullable(text),
  run_source: enumOf(RUN_SOURCES),
  error: nullable(jsonb<RunError>()),
  started_at: nullable(timestamptz),
  completed_at: filled(timestamptz),
};

const findFailure = defineStatement({
  name: "find_failure",
  params: { runId: uuid, subscriptionId: uuid },
  row: FAILURE_ROW,
  sql: `select s.*, r.id as run_id, r.workflow_id as failed_workflow_id, w.name as workflow_name, r.action_slug,
          r.source as run_source, r.error, r.started_at, r.completed_at
        from (${SELECT_SUBSCRIPTIONS} and s.id = $2) s
        join runs r on r.id = $1 and r.workspace_id = s.workspace_id
        left join workflows w on w.workspace_id = r.workspace_id and w.id = r.workflow_id
        where r.completed_at is not null`,
  isPrepared: false,
});

/**
 * Starts the workflows that wait for runs which failed (decisions, Failure triggers). Any number of workers may do so at
 * once: an event is deleted in the transaction that creates its run, so each starts exactly one.
 * @returns ms until the next turn, or null if nothing is left to do
 */
export async function startFailureRuns(): Promise<number | null> {
  // What cannot start now stays for the next turn, and does not hold up the others.
  const stuck: string[] = [];
  for (let count = 0; count < BATCH; count += 1) {
    if (!(await startNext(stuck))) return null;
  }
  return 0;
}

/** @returns false if no event is left */
async function startNext(stuck: string[]): Promise<boolean> {
  let runId: string | null = null;
  try {
    const started = await transaction(async (tx) => {
      const event = await takeEvent.first(tx, { without: stuck });
      if (!event) return null;
      ({ runId } = event);
      const row = await findFailure.first(tx, event);
      // The trigger was paused, its workflow deleted, or the run's retention is over.
      if (!row) return { workspaceId: "", made: [] };
      const made = await createRuns([runOfEvent(failureEvent(row))], tx);
      for (const one of made) {
        if (one instanceof ApiError) throw one;
        if (one.outcome === "stale") throw new Error("the failure trigger was changed meanwhile");
      }
      return { workspaceId: row.workspace_id, made };
    });
    if (started === null) return false;
    await announceRuns(started.workspaceId, started.made);
    await announceFailed(started.workspaceId, started.made);
  } catch (err) {
    if (runId === null) throw err;
    log.warn({ err, run_id: runId }, "the workflow of a failure trigger could not start");
    stuck.push(runId);
  }
  return true;
}

/** Builds the event of a failed run. Its error is redacted already. */
function failureEvent(row: RowOf<typeof FAILURE_ROW>): Parameters<typeof runOfEvent>[0] {
  const { code, message, step_id = null, step_name = null } = row.error ?? { code: "UNKNOWN", message: "" };
  const run = {
    id: row.run_id,
    workflow_id: row.failed_workflow_id,
    workflow_name: row.workflow_name,
    action_slug: row.action_slug,
    source: row.run_source,
    error: { code, message, step_id, step_name },
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at.toISOString(),
    url: `${env().PUBLIC_BASE_URL}/runs/${row.run_id}`,
  };
  return {
    subscription: toSubscription(row),
    source: "webhook",
    input: prepareInput({ output: { run, timestamp: row.completed_at.toISOString() } }),
    dedupeKey: row.run_id,
    facts: { detail: `run ${row.run_id} failed` },
    overLimit: "fail",
  };
}
