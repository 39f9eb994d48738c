import { formatCount } from "#lib/support/format/format-number";
import type { TimelineRow } from "@/components/features/runs/timeline/derive-timeline";

/** A loop with more rows than this shows what needs looking at, and the rest when asked. */
const FOLD_ABOVE = 24;
const QUIET: ReadonlySet<TimelineRow["status"]> = new Set(["completed", "skipped"]);

/**
 * The rows that are shown: of a long loop its first item, every item in which something did not just succeed, and the
 * chosen row. One row stands for the others of a loop; it is the last of it.
 * @param open keys of loops that are shown whole
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

/** Of the outermost loop: what ran inside is folded with it. */
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
