import type { RunObject } from "#lib/contract/run/run";
import { formatCount, formatNumber } from "#lib/support/format/format-number";

/** Says how many steps of a very large run are not loaded yet. */
export function LargeRunNote({ run }: { run: RunObject }) {
  if (run.steps_page === undefined || run.steps.length >= run.steps_page.total) return null;
  return (
    <p className="px-4 py-2 text-sm opacity-80">
      This run has {formatCount(run.steps_page.total, "step")}. The first {formatNumber(run.steps.length)} are shown.
    </p>
  );
}
