import type { RunObject } from "#lib/contract/run";
import { formatCount, formatNumber } from "#lib/support/format/format-number";

/** Says that the page does not show all steps of a very large run, and how to read the others. */
export function LargeRunNote({ run }: { run: RunObject }) {
  if (run.steps_page === undefined) return null;
  const shown = formatNumber(run.steps.length);
  return (
    <p className="px-4 py-2 text-sm opacity-80">
      This run has {formatCount(run.steps_page.total, "step")}. The first {shown} are shown. To read the others, call
      GET /runs/{run.run_id} with steps_cursor={run.steps_page.next_cursor}.
    </p>
  );
}
