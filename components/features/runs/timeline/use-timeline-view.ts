"use client";

import { useEffect, useState } from "react";
import type { Timeline, TimelineRow } from "@/components/features/runs/timeline/derive-timeline";
import {
  clampView,
  fitSpan,
  panView,
  revealSpan,
  spanOf,
  type TimelineView,
  zoomView,
} from "@/components/features/runs/timeline/timeline-view";
import type { UrlCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

/** "1200-1450": whole milliseconds from the run's start. */
const viewCodec: UrlCodec<TimelineView | null> = {
  read: (text) => {
    const [, from, to] = /^(\d{1,9})-(\d{1,9})$/.exec(text ?? "") ?? [];
    return from === undefined || to === undefined || +from >= +to ? null : { fromMs: +from, toMs: +to };
  },
  write: (view) => (view === null ? null : `${Math.floor(view.fromMs)}-${Math.ceil(view.toMs)}`),
};
const CODECS = { time: viewCodec };
/** A wheel fires more often than a URL may change. */
const SETTLED_MS = 300;
const ZOOM_STEP = 2;
const PAN_SHARE = 0.25;

/** The range of the run's time that the waterfall shows, and the functions that change it. */
export interface TimelineZoom {
  /** The whole run, if it is not zoomed. */
  view: TimelineView;
  runMs: number;
  isZoomed: boolean;
  /** Null is the whole run. */
  show: (view: TimelineView | null) => void;
  /** A factor above 1 shows a shorter range; zooms around the middle if no time is given. */
  zoom: (factor: number, atMs?: number) => void;
  pan: (byMs: number) => void;
  /** Zooms in or out around a row's bar, or moves earlier or later, for keys and buttons. */
  step: (direction: "in" | "out" | "earlier" | "later", row: TimelineRow | undefined) => void;
  fit: (row: TimelineRow) => void;
  /** Moves a zoomed view to a row's bar. */
  reveal: (row: TimelineRow) => void;
}

/** Remount it for another run. */
export function useTimelineView({ startMs, endMs }: Pick<Timeline, "startMs" | "endMs">): TimelineZoom {
  const [{ time }, setUrl] = useUrlState(CODECS);
  const [chosen, setChosen] = useState(time);
  useEffect(() => {
    const timer = setTimeout(() => setUrl({ time: chosen }), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [chosen, setUrl]);
  const runMs = endMs - startMs;
  const zoomed = chosen === null ? null : clampView(chosen, runMs);
  const view = zoomed ?? { fromMs: 0, toMs: runMs };
  // Uses the current view: a wheel fires several times between two renders.
  const change = (next: (view: TimelineView) => TimelineView | null) =>
    setChosen((before) => next((before === null ? null : clampView(before, runMs)) ?? { fromMs: 0, toMs: runMs }));
  const zoom = (factor: number, atMs?: number) =>
    change((now) => zoomView(now, factor, atMs ?? (now.fromMs + now.toMs) / 2, runMs));
  const pan = (byMs: number) => change((now) => panView(now, byMs, runMs));
  return {
    view,
    runMs,
    isZoomed: zoomed !== null,
    show: setChosen,
    zoom,
    pan,
    step: (direction, row) => {
      if (direction === "in") return zoom(ZOOM_STEP, middleOf(row, startMs, view));
      if (direction === "out") return zoom(1 / ZOOM_STEP);
      pan((direction === "later" ? PAN_SHARE : -PAN_SHARE) * (view.toMs - view.fromMs));
    },
    fit: (row) => {
      const span = spanOf(row.segments, startMs);
      if (span !== null) setChosen(fitSpan(span, runMs));
    },
    reveal: (row) => {
      const span = zoomed === null ? null : spanOf(row.segments, startMs);
      if (span !== null) change((now) => revealSpan(now, span, runMs));
    },
  };
}

/** Returns the center of a row's bar, as far as it is in view. */
function middleOf(row: TimelineRow | undefined, startMs: number, view: TimelineView): number | undefined {
  const span = row === undefined ? null : spanOf(row.segments, startMs);
  if (span === null || span.toMs < view.fromMs || span.fromMs > view.toMs) return undefined;
  return (Math.max(span.fromMs, view.fromMs) + Math.min(span.toMs, view.toMs)) / 2;
}
