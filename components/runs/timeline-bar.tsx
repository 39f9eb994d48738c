import { clsx } from "clsx";
import type { Segment } from "@/components/runs/derive-timeline";
import type { Tone } from "@/components/ui/chip";
import { TONE_TEXT } from "@/components/ui/tone-text";

interface TimelineBarProps {
  segments: readonly Segment[];
  startMs: number;
  endMs: number;
  tone: Tone;
  isRunning: boolean;
}

/** Solid: executing, red where an attempt failed that was followed by another. Outline: waiting. Hatched: skipped. The word stands in the row, so the bar is decoration. */
export function TimelineBar({ segments, startMs, endMs, tone, isRunning }: TimelineBarProps) {
  const lengthMs = endMs - startMs;
  return (
    <span aria-hidden className={clsx("relative block h-3.5", TONE_TEXT[tone])}>
      {segments.map((segment, index) => (
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
          style={{
            left: `min(${(100 * (segment.startMs - startMs)) / lengthMs}%, calc(100% - 6px))`,
            width: `${(100 * (segment.endMs - segment.startMs)) / lengthMs}%`,
          }}
        />
      ))}
    </span>
  );
}
