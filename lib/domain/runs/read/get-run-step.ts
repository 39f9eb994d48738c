import { ApiError } from "#lib/contract/api-error";
import { EMPTY_DEFINITION } from "#lib/contract/graph";
import type { StepDetailObject } from "#lib/contract/web/web";
import { findClosedGates } from "#lib/domain/approvals/find-closed-gates";
import { deriveSteps } from "#lib/domain/journal/derive-steps";
import { type EventTuple, eventsJson, presentJournalEvent, readEvents } from "#lib/domain/journal/read-events";
import { type RunReference, runNotFound } from "#lib/domain/runs/read/get-run";
import { db } from "#lib/platform/db/pool";
import { UUID_PATTERN } from "#lib/support/ids";

export interface StepReference extends RunReference {
  stepId: string;
  /** Which of the step's items in the timeline, from 0: a loop's body has one for each iteration. */
  occurrence: number;
}

/**
 * One step of a run: its payloads whole, however long, and its entries in the journal.
 * @throws ApiError RUN_NOT_FOUND, NOT_FOUND where the run has not come to the step
 */
export async function getRunStep(reference: StepReference): Promise<StepDetailObject> {
  const { workspaceId, runId, actionSlugs, stepId, occurrence } = reference;
  const { rows } = UUID_PATTERN.test(runId)
    ? await db().query<{ events: EventTuple[] | null }>({
        name: "get_run_step",
        text: `select ${eventsJson("r.id", true, "$4")} as events from runs r
               where r.id = $1 and r.workspace_id = $2 and ($3::text[] is null or r.action_slug = any($3))`,
        values: [runId, workspaceId, actionSlugs, stepId],
      })
    : { rows: [] };
  if (!rows[0]) throw runNotFound();
  const items = Map.groupBy(readEvents(rows[0].events), (event) => event.iteration);
  const events = [...items.values()][occurrence];
  if (!events) throw new ApiError("NOT_FOUND", "The run has not come to this step.");
  const isGate = events.some((event) => event.kind === "step_pending_approval");
  const gates = isGate ? await findClosedGates(runId) : [];
  const [step] = deriveSteps(EMPTY_DEFINITION, events, "whole", gates);
  const entries = events.map(({ inputData: _input, outputData: _output, ...entry }) => presentJournalEvent(entry));
  return { input: step?.input ?? null, output: step?.output ?? null, events: entries };
}
