import { clsx } from "clsx";
import { TriangleAlert, UnfoldVertical } from "lucide-react";
import { isTerminal, isWaiting, type RunStatus } from "#lib/contract/run/run";
import { formatDuration } from "#lib/support/format/format-duration";
import type { TimelineRow } from "@/components/features/runs/timeline/derive-timeline";
import { TimelineBar } from "@/components/features/runs/timeline/timeline-bar";
import { RUN_STATUS_LOOK, STEP_STATUS_LOOK, type StatusLook } from "@/components/words/status";
import { TONE_TEXT } from "@/components/words/tone-text";

/** The columns of the waterfall: step, duration, bar; on a narrow screen the bar is below. */
export const TIMELINE_GRID =
  "grid grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(200px,2fr)_112px_minmax(160px,3fr)]";

interface TimelineRowProps {
  row: TimelineRow;
  /** The index among all rows, including those that are not rendered. */
  index: number;
  count: number;
  /** The visible range, in epoch milliseconds. */
  shown: { startMs: number; endMs: number };
  runStatus: RunStatus;
  isSelected: boolean;
  onSelect: () => void;
  nowMs: number;
}

/** One row of the waterfall, selected with a click, Enter or the arrow keys of its list. */
export function WaterfallRow(props: TimelineRowProps) {
  const { row, index, count, shown, runStatus, isSelected, onSelect, nowMs } = props;
  const look = lookOf(row, runStatus);
  if (row.kind === "folded") return <FoldedRow {...props} />;
  return (
    <div
      role="option"
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
      onClick={onSelect}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onSelect();
      }}
      className={clsx(
        TIMELINE_GRID,
        "h-row cursor-pointer scroll-mt-24 content-center items-center border-b border-border -outline-offset-2",
        isSelected ? "bg-accent-weak" : "hover:bg-text/4",
      )}
    >
      <RowName row={row} look={look} />
      <span className="truncate pr-4 font-mono text-dense text-text-2 md:pr-2">
        {durationWords(row, runStatus, nowMs)}
      </span>
      <span className="col-span-2 px-4 md:col-span-1 md:pl-0">
        <TimelineBar {...shown} segments={row.segments} tone={look.tone} isRunning={row.isRunning} />
      </span>
    </div>
  );
}

/** Opens only with Enter or a click: arrow keys skip it and continue with the rows below. */
function FoldedRow({ row, index, count, onSelect }: TimelineRowProps) {
  return (
    <div
      role="option"
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-selected={false}
      tabIndex={-1}
      onClick={onSelect}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onSelect();
      }}
      className="flex h-row cursor-pointer items-center gap-2 border-b border-border text-text-2 -outline-offset-2 hover:bg-text/4"
      style={{ paddingLeft: indentOf(row) }}
    >
      <UnfoldVertical aria-hidden className="size-3.5 shrink-0 text-text-3" />
      {row.name}
    </div>
  );
}

/** Steps of a loop are indented. */
function indentOf(row: TimelineRow): number {
  return 16 + 20 * Math.min(row.depth, 4);
}

function RowName({ row, look }: { row: TimelineRow; look: StatusLook }) {
  const isMuted = row.kind === "not_reached" || row.status === "skipped";
  return (
    <span className="flex min-w-0 items-center gap-2" style={{ paddingLeft: indentOf(row) }}>
      <look.icon
        aria-hidden
        className={clsx("size-3.5 shrink-0", TONE_TEXT[look.tone], look.isSpinning && "animate-spin")}
        strokeWidth={2.25}
      />
      {row.number === "" ? null : <span className="font-mono text-dense text-text-3">{row.number}</span>}
      <span className={clsx("truncate", isMuted && "text-text-2", row.kind === "run" && "font-medium")}>
        {row.name}
      </span>
      {row.step?.warnings === undefined ? null : (
        <TriangleAlert aria-hidden className="size-3.5 shrink-0 text-warn" strokeWidth={1.75} />
      )}
      {/* A muted status is named in the next column; the queue is named by its label. */}
      {isMuted || row.kind === "queued" ? null : (
        <span className="sr-only">
          , {look.word}
          {row.step !== null && row.step.attempt > 1 ? `, attempt ${row.step.attempt}` : ""}
          {row.step?.warnings === undefined ? "" : ", with warnings"}
        </span>
      )}
    </span>
  );
}

/** The queue has its own label; the whole run uses the run's status. */
function lookOf(row: TimelineRow, runStatus: RunStatus): StatusLook {
  if (row.kind === "not_reached" && !isTerminal(runStatus)) return RUN_STATUS_LOOK.accepted;
  if (row.status !== null) return STEP_STATUS_LOOK[row.status];
  if (row.kind === "run") return RUN_STATUS_LOOK[runStatus];
  return isWaiting(runStatus) && row.isRunning ? RUN_STATUS_LOOK.waiting_for_approval : RUN_STATUS_LOOK.accepted;
}

function durationWords(row: TimelineRow, runStatus: RunStatus, nowMs: number): string {
  if (row.kind === "not_reached") return isTerminal(runStatus) ? "not reached" : "not started";
  if (row.status === "skipped") return "skipped";
  if (row.step?.reused) return "reused";
  const retries = row.step !== null && row.step.attempt > 1 ? ` ↻${row.step.attempt - 1}` : "";
  const startMs = row.segments[0]?.startMs;
  const ms = row.durationMs ?? (row.isRunning && startMs !== undefined ? Math.max(0, nowMs - startMs) : null);
  return ms === null ? "" : `${formatDuration(ms)}${retries}`;
}
