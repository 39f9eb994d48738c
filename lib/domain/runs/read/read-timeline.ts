import { EMPTY_DEFINITION } from "#lib/contract/graph";
import { isTerminal, type StepsView } from "#lib/contract/run";
import { findClosedGates } from "#lib/domain/approvals/find-closed-gates";
import { deriveSteps } from "#lib/domain/journal/derive-steps";
import { presentJournalEvent, readEvents } from "#lib/domain/journal/read-events";
import { findVersionDefinition } from "#lib/domain/runs/read/find-version-definition";
import { pageSteps } from "#lib/domain/runs/read/page-steps";
import type { PresentedTimeline } from "#lib/domain/runs/read/present-run";
import type { RunRow } from "#lib/domain/runs/read/run-row";

export interface Reading {
  /** Where the page of steps starts: the seq of a first event. */
  from?: number;
  withEvents?: boolean;
}

/** Derives a page of the steps of a run that was read with its journal. */
export async function readTimeline(row: RunRow, view: StepsView, reading: Reading = {}): Promise<PresentedTimeline> {
  const { from, withEvents = false } = reading;
  if (row.events === null) return { steps: [], ...(withEvents ? { events: [] } : {}) };
  const definition = row.workflow_version_id ? await findVersionDefinition(row.workflow_version_id) : row.definition;
  const events = readEvents(row.events);
  // Only a gate can leave a wait without an end in the journal of an ended run; most runs have no gate.
  const hasOpenGate = isTerminal(row.status) && events.some((event) => event.kind === "step_pending_approval");
  const gates = hasOpenGate ? await findClosedGates(row.id) : [];
  const items = deriveSteps(definition ?? EMPTY_DEFINITION, events, view, gates);
  const { isOnPage, ...page } = pageSteps(events, items, from);
  return withEvents ? { ...page, events: events.filter(isOnPage).map(presentJournalEvent) } : page;
}
