import { LIMITS } from "#lib/contract/limits";
import type { RunWarning } from "#lib/contract/run/journal";
import { isCancelled, isTerminal, type StepsView } from "#lib/contract/run/run";
import { EMPTY_DEFINITION } from "#lib/contract/workflow/graph";
import { addWarnings } from "#lib/core/engine/run-state";
import { findClosedGates } from "#lib/domain/approvals/find-closed-gates";
import { deriveSteps, type RunEnd } from "#lib/domain/journal/derive-steps";
import { readPackedEvents } from "#lib/domain/journal/packed-events";
import { presentJournalEvent, readEvents, type StoredJournalEvent } from "#lib/domain/journal/read-events";
import { findVersionDefinition } from "#lib/domain/runs/read/find-version-definition";
import { pageSteps } from "#lib/domain/runs/read/page-steps";
import type { PresentedTimeline } from "#lib/domain/runs/read/present-run";
import { readStepsPage, type StoredStepsPage } from "#lib/domain/runs/read/read-steps-page";
import type { RunRow } from "#lib/domain/runs/read/run-row";
import { isLargeJson, nextTurn } from "#lib/support/take-turn";

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
  if (row.events === null && row.packed === null) return { steps: [], ...(withEvents ? { events: [] } : {}) };
  const definition =
    (row.workflow_version_id ? await findVersionDefinition(row.workflow_version_id) : row.definition) ??
    EMPTY_DEFINITION;
  const stored = await readRest(row, view, reading);
  // The driver has just parsed it.
  if (isLargeJson(stored?.events ?? [row.events, row.packed])) await nextTurn();
  const events = stored ? readEvents(stored.events) : readJournal(row, readsPayloads(view, withEvents));
  // Only a gate can leave a wait without an end in the journal of an ended run; most runs have no gate.
  const hasOpenGate = isTerminal(row.status) && events.some((event) => event.kind === "step_pending_approval");
  const gates = hasOpenGate ? await findClosedGates(row.id) : [];
  const items = deriveSteps(definition, events, view, { gates, end: endOf(row) });
  const { isOnPage, ...page } = pageSteps({ events, items, stored, definition }, from);
  const warnings = warningsOf(events);
  return {
    ...page,
    ...(withEvents ? { events: events.filter(isOnPage).map(presentJournalEvent) } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** @param payloads false if the run was read without them */
function readJournal({ events, packed }: RunRow, payloads: boolean): StoredJournalEvent[] {
  const read = readEvents(events);
  if (packed === null) return read;
  return [...read, ...readPackedEvents(packed, { payloads, isFull: read.some((event) => event.isLeftOut) })];
}

function warningsOf(events: readonly StoredJournalEvent[]): RunWarning[] {
  const warnings: RunWarning[] = [];
  for (const event of events) if (event.warnings) addWarnings(warnings, event.warnings);
  return warnings;
}

function endOf({ status, completed_at: at }: RunRow): RunEnd | null {
  return isTerminal(status) && at !== null ? { isCancelled: isCancelled(status), at } : null;
}

/** Returns null if the run was read with its whole journal. */
async function readRest(row: RunRow, view: StepsView, reading: Reading): Promise<StoredStepsPage | null> {
  const { from = 0, withEvents = false, share } = reading;
  const maxEvents = share?.maxEvents ?? LIMITS.timelineEvents;
  const events = (row.events?.length ?? 0) + (row.packed?.events.length ?? 0);
  if (from === 0 && events <= maxEvents) return null;
  return readStepsPage({
    runId: row.id,
    from,
    withPayloads: readsPayloads(view, withEvents),
    onlyFailed: view === "failed",
    maxSteps: maxEvents / 2,
  });
}

function readsPayloads(view: StepsView, withEvents: boolean): boolean {
  return view !== "summary" || withEvents;
}
