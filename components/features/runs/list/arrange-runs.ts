import type { RunObject } from "#lib/contract/run/run";

interface Arrangement {
  runs: readonly RunObject[];
  /** The number of runs that arrived since the page was shown. */
  newCount: number;
}

/**
 * Merges the latest response into the rows on screen. `shown` are the current rows, null before there are any; `fresh`
 * is the latest response for the same page. A row that newer runs have pushed off the page does not change.
 */
export function arrangeRuns(shown: readonly RunObject[] | null, fresh: readonly RunObject[]): Arrangement {
  // An empty page has nothing under the pointer.
  if (shown === null || shown.length === 0) return { runs: fresh, newCount: 0 };
  const known = new Map(fresh.map((run) => [run.run_id, run]));
  const shownIds = new Set(shown.map((run) => run.run_id));
  const newest = shown[0]?.created_at ?? "";
  // Rows at the end of a page were not pushed in from above.
  const newCount = fresh.filter((run) => !shownIds.has(run.run_id) && run.created_at >= newest).length;
  return { runs: shown.map((run) => known.get(run.run_id) ?? run), newCount };
}
