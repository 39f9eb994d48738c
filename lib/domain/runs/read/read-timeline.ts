import { EMPTY_DEFINITION } from "#lib/contract/graph";
import type { StepItem } from "#lib/contract/journal";
import { isTerminal, type StepsView } from "#lib/contract/run";
import { findClosedGates } from "#lib/domain/approvals/find-closed-gates";
import { deriveSteps } from "#lib/domain/journal/derive-steps";
import { readEvents } from "#lib/domain/journal/read-events";
import { findVersionDefinition } from "#lib/domain/runs/read/find-version-definition";
import type { RunRow } from "#lib/domain/runs/read/run-row";

/** Derives the steps of a run that was read with its journal. */
export async function readTimeline(row: RunRow, view: StepsView): Promise<StepItem[]> {
  if (row.events === null) return [];
  const definition = row.workflow_version_id ? await findVersionDefinition(row.workflow_version_id) : row.definition;
  const events = readEvents(row.events);
  // Only a gate can leave a wait without an end in the journal of an ended run; most runs have no gate.
  const hasOpenGate = isTerminal(row.status) && events.some((event) => event.kind === "step_pending_approval");
  const gates = hasOpenGate ? await findClosedGates(row.id) : [];
  return deriveSteps(definition ?? EMPTY_DEFINITION, events, view, gates);
}
