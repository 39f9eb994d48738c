import { EMPTY_DEFINITION } from "#lib/contract/graph";
import type { StepItem } from "#lib/contract/journal";
import type { StepsView } from "#lib/contract/run";
import { deriveSteps } from "#lib/journal/derive-steps";
import { readEvents } from "#lib/journal/read-events";
import { findDefinition } from "#lib/runs/find-definition";
import type { RunRow } from "#lib/runs/run-row";

/** The steps of a run that was read with its journal. */
export async function readTimeline(row: RunRow, view: StepsView): Promise<StepItem[]> {
  if (row.events === null) return [];
  const definition = row.workflow_version_id ? await findDefinition(row.workflow_version_id) : row.definition;
  return deriveSteps(definition ?? EMPTY_DEFINITION, readEvents(row.events), view);
}
