import { LIMITS } from "#lib/contract/limits";
import type { StepItem } from "#lib/contract/run/journal";
import type { RunObject } from "#lib/contract/run/run";
import type { Definition } from "#lib/contract/workflow/graph";
import type { StoredJournalEvent } from "#lib/domain/journal/read-events";
import type { StoredStepsPage } from "#lib/domain/runs/read/read-steps-page";

export interface PagedSteps {
  steps: StepItem[];
  /** Absent if these are all steps of the run. */
  steps_page?: RunObject["steps_page"];
  /** Whether a raw event belongs to the same page. */
  isOnPage(event: StoredJournalEvent): boolean;
}

type Loops = NonNullable<RunObject["steps_page"]>["loops"];

interface Journal {
  events: readonly StoredJournalEvent[];
  /** The timeline derived from the events. */
  items: readonly StepItem[];
  /** Set if the events are only a part of the journal. */
  stored: Pick<StoredStepsPage, "total" | "iterated" | "nextSeq"> | null;
  definition: Definition;
}

const FAILED: ReadonlySet<StepItem["status"]> = new Set(["failed", "failed_continued", "timed_out"]);

/**
 * Returns one page of a timeline (decisions, Reading runs). A page starts at the step whose first event is at `from`,
 * and ends after 2,000 steps, or before the first step that started when the budget for payloads was used up. A step
 * that started before and ended after that is on the page, marked `truncated`.
 */
export function pageSteps({ events, items, stored, definition }: Journal, from = 0): PagedSteps {
  const starts = firstSeqs(events);
  const startOf = (item: StepItem) => starts.get(`${item.step_id}|${item.iteration?.path ?? ""}`) ?? 0;
  const rest = stored === null ? items : items.filter((item) => startOf(item) >= from);
  const isFull = events.find(
    (event) => event.isLeftOut && event.seq >= from && event.seq > startOfFirst(rest, startOf),
  );
  const cut = isFull?.seq ?? Number.POSITIVE_INFINITY;
  const end = rest.findIndex((item, index) => index >= LIMITS.stepsPageSize || startOf(item) >= cut);
  if (stored === null && end === -1) return { steps: [...items], isOnPage: () => true };
  const next = end === -1 ? undefined : rest[end];
  const nextSeq = next === undefined ? (stored?.nextSeq ?? null) : startOf(next);
  return {
    steps: end === -1 ? [...rest] : rest.slice(0, end),
    steps_page: {
      total: stored?.total ?? items.length,
      next_cursor: nextSeq === null ? null : String(nextSeq),
      loops: stored === null ? countLoops(items) : sumLoops(stored.iterated, definition),
    },
    isOnPage: (event) => event.seq >= from && (nextSeq === null || event.seq < nextSeq),
  };
}

/** A page always contains its first step, however large it is. */
function startOfFirst(rest: readonly StepItem[], startOf: (item: StepItem) => number): number {
  const first = rest[0];
  return first === undefined ? 0 : startOf(first);
}

function firstSeqs(events: readonly StoredJournalEvent[]): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  for (const { nodeId, iteration, seq, firstSeq } of events) {
    const key = `${nodeId}|${iteration}`;
    if (!starts.has(key)) starts.set(key, firstSeq ?? seq);
  }
  return starts;
}

function countLoops(items: readonly StepItem[]): Loops {
  const loops = new Map<string, Loops[number]>();
  for (const { iteration, status } of items) {
    if (iteration === null) continue;
    const loop = loops.get(iteration.loop_id) ?? { step_id: iteration.loop_id, steps: 0, failed: 0 };
    loop.steps += 1;
    if (FAILED.has(status)) loop.failed += 1;
    loops.set(iteration.loop_id, loop);
  }
  return [...loops.values()];
}

function sumLoops(iterated: StoredStepsPage["iterated"], definition: Definition): Loops {
  const loopOf = new Map(definition.nodes.map((node) => [node.id, node.parentId ?? ""]));
  const loops = new Map<string, Loops[number]>();
  for (const { node_id, steps, failed } of iterated) {
    const step_id = loopOf.get(node_id) ?? "";
    const loop = loops.get(step_id) ?? { step_id, steps: 0, failed: 0 };
    loops.set(step_id, { step_id, steps: loop.steps + steps, failed: loop.failed + failed });
  }
  return [...loops.values()];
}
