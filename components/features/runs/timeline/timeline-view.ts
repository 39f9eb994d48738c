import type { Segment } from "@/components/features/runs/timeline/derive-timeline";

/** A range of a run's time, in milliseconds from its start. */
export interface TimelineView {
  fromMs: number;
  toMs: number;
}

/** The shortest range that can be shown: times are known to the millisecond. */
const SHORTEST_MS = 4;
/** The margin on each side of a step that fills the view. */
const FIT_MARGIN = 0.1;

const lengthOf = ({ fromMs, toMs }: TimelineView) => toMs - fromMs;

/** Clamps a range to the run and to the shortest length; null is the whole run. */
export function clampView({ fromMs, toMs }: TimelineView, runMs: number): TimelineView | null {
  const lengthMs = Math.max(toMs - fromMs, SHORTEST_MS);
  if (lengthMs >= runMs) return null;
  const middleMs = (fromMs + toMs) / 2;
  const startMs = Math.min(Math.max(0, middleMs - lengthMs / 2), runMs - lengthMs);
  return { fromMs: startMs, toMs: startMs + lengthMs };
}

/** Zooms the view. A factor above 1 shows a shorter range; `atMs` stays in place. */
export function zoomView(view: TimelineView, factor: number, atMs: number, runMs: number): TimelineView | null {
  const lengthMs = Math.max(lengthOf(view) / factor, SHORTEST_MS);
  const share = (atMs - view.fromMs) / lengthOf(view);
  const fromMs = atMs - share * lengthMs;
  return clampView({ fromMs, toMs: fromMs + lengthMs }, runMs);
}

export function panView(view: TimelineView, byMs: number, runMs: number): TimelineView | null {
  return clampView({ fromMs: view.fromMs + byMs, toMs: view.toMs + byMs }, runMs);
}

/** Returns the range from the start to the end of a row, or null if nothing happened. */
export function spanOf(segments: readonly Segment[], startMs: number): TimelineView | null {
  if (segments.length === 0) return null;
  return {
    fromMs: Math.min(...segments.map((segment) => segment.startMs)) - startMs,
    toMs: Math.max(...segments.map((segment) => segment.endMs)) - startMs,
  };
}

/** Zooms to a range as far as possible, with a margin. */
export function fitSpan(span: TimelineView, runMs: number): TimelineView | null {
  const marginMs = FIT_MARGIN * lengthOf(span);
  return clampView({ fromMs: span.fromMs - marginMs, toMs: span.toMs + marginMs }, runMs);
}

/**
 * Moves the view so that a range is visible, if it is not already. If the range is longer than the view, its start is
 * shown.
 */
export function revealSpan(view: TimelineView, span: TimelineView, runMs: number): TimelineView | null {
  if (span.toMs >= view.fromMs && span.fromMs <= view.toMs) return view;
  const atMs = lengthOf(span) > lengthOf(view) ? span.fromMs : (span.fromMs + span.toMs) / 2;
  return panView(view, atMs - (view.fromMs + view.toMs) / 2, runMs);
}

/** Returns the position of a part of a bar, in percent of the view's width, or null if it is outside the view. */
export function placeSegment(
  { startMs, endMs }: Pick<Segment, "startMs" | "endMs">,
  shown: { startMs: number; endMs: number },
): { left: number; width: number } | null {
  if (endMs < shown.startMs || startMs > shown.endMs) return null;
  const percentOf = (ms: number) => (100 * ms) / (shown.endMs - shown.startMs);
  const [from, to] = [Math.max(startMs, shown.startMs), Math.min(endMs, shown.endMs)];
  return { left: percentOf(from - shown.startMs), width: percentOf(to - from) };
}

/** Returns round marks within a view, at most `count` + 1, in milliseconds from the run's start. */
export function axisMarks(view: TimelineView, count: number): number[] {
  const stepMs = markStep(view, count);
  const marks: number[] = [];
  for (let atMs = Math.ceil(view.fromMs / stepMs) * stepMs; atMs <= view.toMs; atMs += stepMs) marks.push(atMs);
  return marks;
}

/** Returns the distance between the marks. */
export function markStep(view: TimelineView, count: number): number {
  const lengthMs = lengthOf(view);
  const found = STEPS_MS.find((candidate) => lengthMs / candidate <= count);
  return found ?? 3_600_000 * Math.ceil(lengthMs / count / 3_600_000);
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000,
];
