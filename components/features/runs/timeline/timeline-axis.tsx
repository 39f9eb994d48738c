import { clsx } from "clsx";
import type { ComponentProps, RefObject } from "react";
import { formatMark } from "#lib/support/format/format-duration";
import { axisMarks, markStep, type TimelineView } from "@/components/features/runs/timeline/timeline-view";
import type { Brush } from "@/components/features/runs/timeline/use-time-gestures";
import { TIMELINE_GRID } from "@/components/features/runs/timeline/waterfall-row";

const MARKS = 5;
/** Longer labels need more space, so there are fewer of them: "12.345 s" and "3 min 20.005 s". */
const EXACT_MARKS = 3;
const LONG_MARKS = 2;
/** A label this close to an edge would overflow, so it is aligned to its mark. */
const NEAR_START = 0.1;
const NEAR_END = 0.9;

function countOf(view: TimelineView, isZoomed: boolean): number {
  if (!isZoomed || view.toMs < 1_000 || markStep(view, EXACT_MARKS) >= 1_000) return MARKS;
  return view.toMs < 60_000 ? EXACT_MARKS : LONG_MARKS;
}

const shareOf = (atMs: number, view: TimelineView) => (atMs - view.fromMs) / (view.toMs - view.fromMs);

interface TimelineAxisProps extends Omit<ComponentProps<"span">, "ref"> {
  axis: RefObject<HTMLSpanElement | null>;
  view: TimelineView;
  runMs: number;
  isZoomed: boolean;
  brush: Brush | null;
}

/**
 * Shows times above the bars. Dragging across the axis zooms to a range; while zoomed, a line shows which part of the
 * run is visible.
 */
export function TimelineAxis({ axis, view, runMs, isZoomed, brush, ...gestures }: TimelineAxisProps) {
  const count = countOf(view, isZoomed);
  const stepMs = markStep(view, count);
  return (
    <span aria-hidden className="col-span-2 h-5 min-w-0 px-4 md:col-span-1 md:h-row md:pl-0">
      <span
        ref={axis}
        className="relative block h-full cursor-crosshair touch-pan-y overflow-hidden select-none"
        {...gestures}
      >
        {isZoomed ? (
          <span
            className="absolute top-0 h-0.5 min-w-1 bg-accent-solid"
            style={{ left: `${(100 * view.fromMs) / runMs}%`, width: `${(100 * (view.toMs - view.fromMs)) / runMs}%` }}
          />
        ) : null}
        {axisMarks(view, count).map((atMs) => (
          <span
            key={atMs}
            className={clsx(
              "absolute top-0.5 font-mono text-micro whitespace-nowrap md:top-2",
              shareOf(atMs, view) > NEAR_END && "-translate-x-full",
              shareOf(atMs, view) >= NEAR_START && shareOf(atMs, view) <= NEAR_END && "-translate-x-1/2",
            )}
            style={{ left: `${100 * shareOf(atMs, view)}%` }}
          >
            {formatMark(atMs, stepMs)}
          </span>
        ))}
        {brush === null ? null : (
          <span
            className="absolute inset-y-0 border-x border-accent bg-accent/20"
            style={{ left: `${Math.min(brush.from, brush.to)}%`, width: `${Math.abs(brush.to - brush.from)}%` }}
          />
        )}
      </span>
    </span>
  );
}

/** Hairlines at the marks of the axis, behind all rows. */
export function GridLines({ view, isZoomed }: Pick<TimelineAxisProps, "view" | "isZoomed">) {
  return (
    <div aria-hidden className={clsx(TIMELINE_GRID, "pointer-events-none absolute inset-0 hidden md:grid")}>
      <span className="relative col-start-3 mr-4">
        {axisMarks(view, countOf(view, isZoomed)).map((atMs) => (
          <span
            key={atMs}
            className="absolute inset-y-0 w-px bg-border"
            style={{ left: `${100 * shareOf(atMs, view)}%` }}
          />
        ))}
      </span>
    </div>
  );
}
