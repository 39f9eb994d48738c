import type { StepItem } from "#lib/contract/journal";
import { LIMITS } from "#lib/contract/limits";
import type { RunObject } from "#lib/contract/run";
import type { StoredJournalEvent } from "#lib/domain/journal/read-events";

export interface PagedSteps {
  steps: StepItem[];
  /** Absent if these are all steps of the run. */
  steps_page?: RunObject["steps_page"];
  /** Whether a raw event belongs to the same page. */
  isOnPage(event: StoredJournalEvent): boolean;
}

const FAILED: ReadonlySet<StepItem["status"]> = new Set(["failed", "failed_continued", "timed_out"]);

/**
 * Returns one page of a timeline (decisions, Reading runs). A page starts at the step whose first event is at `from`,
 * and ends after 2,000 steps, or before the first step that started when the budget for payloads was used up. A step
 * that started before and ended after that is on the page, marked `truncated`.
 * @param events the whole journal
 * @param items the timeline derived from it
 */
export function pageSteps(events: readonly StoredJournalEvent[], items: readonly StepItem[], from = 0): PagedSteps {
  const starts = firstSeqs(events);
  const startOf = (item: StepItem) => starts.get(`${item.step_id}|${item.iteration?.path ?? ""}`) ?? 0;
  const rest = from === 0 ? items : items.filter((item) => startOf(item) >= from);
  const isFull = events.find(
    (event) => event.isLeftOut && event.seq >= from && event.seq > startOfFirst(rest, startOf),
  );
  const cut = isFull?.seq ?? Number.POSITIVE_INFINITY;
  const end = rest.findIndex((item, index) => index >= LIMITS.stepsPageSize || startOf(item) >= cut);
  if (from === 0 && end === -1) return { steps: [...items], isOnPage: () => true };
  const next = end === -1 ? undefined : rest[end];
  const nextSeq = next === undefined ? Number.POSITIVE_INFINITY : startOf(next);
  return {
    steps: end === -1 ? [...rest] : rest.slice(0, end),
    steps_page: {
      total: items.length,
      next_cursor: next === undefined ? null : String(nextSeq),
      loops: countLoops(items),
    },
    isOnPage: (event) => event.seq >= from && event.seq < nextSeq,
  };
}

/** A page always contains its first step, however large it is. */
function startOfFirst(rest: readonly StepItem[], startOf: (item: StepItem) => number): number {
  const first = rest[0];
  return first === undefined ? 0 : startOf(first);
}

function firstSeqs(events: readonly StoredJournalEvent[]): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  for (const { nodeId, iteration, seq } of events) {
    const key = `${nodeId}|${iteration}`;
    if (!starts.has(key)) starts.set(key, seq);
  }
  return starts;
}

function countLoops(items: readonly StepItem[]) {
  const loops = new Map<string, { step_id: string; steps: number; failed: number }>();
  for (const { iteration, status } of items) {
    if (iteration === null) continue;
    const loop = loops.get(iteration.loop_id) ?? { step_id: iteration.loop_id, steps: 0, failed: 0 };
    loop.steps += 1;
    if (FAILED.has(status)) loop.failed += 1;
    loops.set(iteration.loop_id, loop);
  }
  return [...loops.values()];
}
