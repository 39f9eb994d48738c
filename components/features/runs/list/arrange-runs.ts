import type { RunObject } from "#lib/contract/run";

interface Arrangement {
  runs: readonly RunObject[];
  /** Runs that came since the page was shown. */
  newCount: number;
}

/**
 * The rows on screen with what is now known of them. `shown` are the rows as they stand, null before there are any;
 * `fresh` is the newest answer for the same page. A row that new runs have pushed off the page stays as it was.
 */
export function arrangeRuns(shown: readonly RunObject[] | null, fresh: readonly RunObject[]): Arrangement {
  // Nothing is under the pointer of an empty page.
  if (shown === null || shown.length === 0) return { runs: fresh, newCount: 0 };
  const known = new Map(fresh.map((run) => [run.run_id, run]));
  const shownIds = new Set(shown.map((run) => run.run_id));
  const newest = shown[0]?.created_at ?? "";
  // Rows at the end of a page that follow it were not pushed in from above.
  const newCount = fresh.filter((run) => !shownIds.has(run.run_id) && run.created_at >= newest).length;
  return { runs: shown.map((run) => known.get(run.run_id) ?? run), newCount };
}
