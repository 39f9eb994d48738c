import { clsx } from "clsx";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Segment } from "@/components/features/runs/timeline/derive-timeline";
import { placeSegment } from "@/components/features/runs/timeline/timeline-view";
import type { Tone } from "@/components/ui/chip";
import { TONE_TEXT } from "@/components/words/tone-text";

interface TimelineBarProps {
  segments: readonly Segment[];
  /** The visible range, in epoch milliseconds. */
  startMs: number;
  endMs: number;
  tone: Tone;
  isRunning: boolean;
}

/**
 * Solid: executing, red for an attempt that failed and was followed by another. Outline: waiting. Hatched: skipped. An
 * arrow if the whole bar is outside the view. The row contains the status as text, so the bar is decorative.
 */
export function TimelineBar({ segments, startMs, endMs, tone, isRunning }: TimelineBarProps) {
  const first = segments[0];
  const placed = segments.map((segment) => ({ segment, place: placeSegment(segment, { startMs, endMs }) }));
  const isOutside = first !== undefined && placed.every(({ place }) => place === null);
  const Arrow = first !== undefined && first.startMs > endMs ? ChevronRight : ChevronLeft;
  return (
    <span aria-hidden className={clsx("relative block h-1.5 md:h-3.5", TONE_TEXT[tone])}>
      {isOutside ? (
        <Arrow
          className={clsx(
            "absolute top-1/2 size-3.5 -translate-y-1/2",
            Arrow === ChevronRight ? "-right-1" : "-left-1",
          )}
        />
      ) : null}
      {placed.map(({ segment, place }, index) =>
        place === null ? null : (
          <span
            key={`${segment.kind}-${segment.startMs}`}
            className={clsx(
              "absolute inset-y-0 min-w-[3px] rounded-[3px]",
              segment.kind === "executing" && "bg-current",
              segment.kind === "failed" && "bg-err",
              segment.kind === "waiting" && "min-w-1.5 border border-current",
              segment.kind === "skipped" && "hatch min-w-1.5",
              isRunning && index === segments.length - 1 && "animate-pulse",
            )}
            style={{ left: `min(${place.left}%, calc(100% - 6px))`, width: `${place.width}%` }}
          />
        ),
      )}
    </span>
  );
}
