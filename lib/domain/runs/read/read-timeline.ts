import { EMPTY_DEFINITION } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import { isTerminal, type StepsView } from "#lib/contract/run";
import { findClosedGates } from "#lib/domain/approvals/find-closed-gates";
import { deriveSteps } from "#lib/domain/journal/derive-steps";
import { presentJournalEvent, readEvents } from "#lib/domain/journal/read-events";
import { findVersionDefinition } from "#lib/domain/runs/read/find-version-definition";
import { pageSteps } from "#lib/domain/runs/read/page-steps";
import type { PresentedTimeline } from "#lib/domain/runs/read/present-run";
import { readStepsPage, type StoredStepsPage } from "#lib/domain/runs/read/read-steps-page";
import type { RunRow } from "#lib/domain/runs/read/run-row";
import { isLargeJson } from "#lib/support/is-large-json";
import { nextTurn } from "#lib/support/take-turn";

export interface Reading {
  /** Where the page of steps starts: the seq of a first event. */
  from?: number;
  withEvents?: boolean;
  /** What the answer may load for this run. */
  share?: { maxEvents: number };
}

/** Derives a page of the steps of a run that was read with its journal, or with the start of it. */
export async function readTimeline(row: RunRow, view: StepsView, reading: Reading = {}): Promise<PresentedTimeline> {
  const { from = 0, withEvents = false } = reading;
  if (row.events === null) return { steps: [], ...(withEvents ? { events: [] } : {}) };
  const definition =
    (row.workflow_version_id ? await findVersionDefinition(row.workflow_version_id) : row.definition) ??
    EMPTY_DEFINITION;
  const stored = await readRest(row, view, reading);
  const tuples = stored?.events ?? row.events;
  // The driver has just parsed it.
  if (isLargeJson(tuples)) await nextTurn();
  const events = readEvents(tuples);
  // Only a gate can leave a wait without an end in the journal of an ended run; most runs have no gate.
  const hasOpenGate = isTerminal(row.status) && events.some((event) => event.kind === "step_pending_approval");
  const gates = hasOpenGate ? await findClosedGates(row.id) : [];
  const items = deriveSteps(definition, events, view, gates);
  const { isOnPage, ...page } = pageSteps({ events, items, stored, definition }, from);
  return withEvents ? { ...page, events: events.filter(isOnPage).map(presentJournalEvent) } : page;
}

/** Returns null if the run was read with its whole journal. */
async function readRest(row: RunRow, view: StepsView, reading: Reading): Promise<StoredStepsPage | null> {
  const { from = 0, withEvents = false, share } = reading;
  const maxEvents = share?.maxEvents ?? LIMITS.timelineEvents;
  if (from === 0 && (row.events?.length ?? 0) <= maxEvents) return null;
  return readStepsPage({
    runId: row.id,
    from,
    withPayloads: view !== "summary" || withEvents,
    onlyFailed: view === "failed",
    maxSteps: maxEvents / 2,
  });
}
