import { formatCount } from "#lib/support/format/format-number";
import type { TimelineRow } from "@/components/features/runs/timeline/derive-timeline";

/** A loop with more rows than this shows only the rows that need attention, and the rest on request. */
const FOLD_ABOVE = 24;
const QUIET: ReadonlySet<TimelineRow["status"]> = new Set(["completed", "skipped"]);

/**
 * Returns the visible rows: for a long loop its first item, every item that did not simply succeed, and the selected
 * row. One row stands in for the hidden ones; it is the last row of the loop.
 * @param open keys of loops that are shown in full
 */
export function foldLoops(
  rows: readonly TimelineRow[],
  open: ReadonlySet<string>,
  chosen: string | null,
): readonly TimelineRow[] {
  const bodies = Map.groupBy(rows, (row) => row.loopKey);
  return rows.flatMap((row, at) => {
    const { loopKey } = row;
    const body = loopKey === null || open.has(loopKey) ? undefined : bodies.get(loopKey);
    if (loopKey === null || body === undefined || body.length <= FOLD_ABOVE) return [row];
    const shown = shownItems(body, chosen);
    const isLast = rows[at + 1]?.loopKey !== loopKey;
    const hidden = new Set(body.map(itemOf).filter((item) => !shown.has(item))).size;
    const rest = isLast && hidden > 0 ? [foldedRow(loopKey, hidden)] : [];
    return shown.has(itemOf(row)) ? [row, ...rest] : rest;
  });
}

function shownItems(body: readonly TimelineRow[], chosen: string | null): Set<number> {
  const [first] = body;
  const loud = body.filter((row) => !QUIET.has(row.status) || row.key === chosen);
  return new Set([...(first === undefined ? [] : [first]), ...loud].map(itemOf));
}

/** The outermost loop: the steps inside are folded with it. */
function itemOf(row: TimelineRow): number {
  return Number(row.step?.iteration?.path.split(".")[0] ?? 0);
}

function foldedRow(loopKey: string, hidden: number): TimelineRow {
  return {
    key: `${loopKey}~more`,
    kind: "folded",
    number: "",
    name: `Show ${formatCount(hidden, "more item")}`,
    status: null,
    segments: [],
    durationMs: null,
    isRunning: false,
    step: null,
    occurrence: 0,
    depth: 1,
    loopKey,
  };
}
