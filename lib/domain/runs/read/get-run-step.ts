import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { StepDetailObject } from "#lib/contract/wire/web";
import { EMPTY_DEFINITION } from "#lib/contract/workflow/graph";
import { findClosedGates } from "#lib/domain/approvals/find-closed-gates";
import { deriveSteps } from "#lib/domain/journal/derive-steps";
import { type EventTuple, eventsJson, presentJournalEvent, readEvents } from "#lib/domain/journal/read-events";
import { type RunReference, runNotFound } from "#lib/domain/runs/read/get-run";
import { array, bigint, json, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

export interface StepReference extends RunReference {
  stepId: string;
  /** The index of the item among the step's items in the timeline, from 0: a loop's body has one for each iteration. */
  occurrence: number;
}

/** A step inside a loop has up to 20,000 iterations; only the one that is shown is read. */
const OCCURRENCE = `e.node_id = $4 and e.iteration = (select o.iteration from journal_events(r.id) o
  where o.node_id = $4 group by o.iteration order by min(o.seq) offset $5 limit 1)`;

/** Only the last attempt's payloads are shown. */
const LAST_ATTEMPT = `coalesce((select max(o.seq) from journal_events(r.id) o where o.node_id = e.node_id
  and o.iteration = e.iteration and o.kind = 'step_started'), 0)`;

const selectEvents = defineStatement({
  name: "get_run_step",
  params: { runId: uuid, workspaceId: uuid, actionSlugs: nullable(array(text)), stepId: text, occurrence: bigint },
  row: { events: nullable(json<EventTuple[]>()) },
  sql: `select ${eventsJson("r.id", { payloads: true, where: OCCURRENCE, fromSeq: LAST_ATTEMPT, maxBytes: 4 * LIMITS.stepOutputBytes })} as events from runs r
        where r.id = $1 and r.workspace_id = $2 and ($3::text[] is null or r.action_slug = any($3))`,
});

/**
 * Returns one step of a run: its payloads in full, however long, and its journal events.
 * @throws ApiError RUN_NOT_FOUND, NOT_FOUND if the run has not reached the step
 */
export async function getRunStep(reference: StepReference): Promise<StepDetailObject> {
  const { workspaceId, runId, actionSlugs, stepId, occurrence } = reference;
  const run = UUID_PATTERN.test(runId)
    ? await selectEvents.first(db(), { runId, workspaceId, actionSlugs, stepId, occurrence })
    : null;
  if (!run) throw runNotFound();
  const events = readEvents(run.events);
  if (events.length === 0) throw new ApiError("NOT_FOUND", "The run has not reached this step.");
  const isGate = events.some((event) => event.kind === "step_pending_approval");
  const gates = isGate ? await findClosedGates(runId) : [];
  const [step] = deriveSteps(EMPTY_DEFINITION, events, "whole", { gates });
  const entries = events.map(({ inputData: _input, outputData: _output, ...entry }) => presentJournalEvent(entry));
  return { input: step?.input ?? null, output: step?.output ?? null, events: entries };
}
