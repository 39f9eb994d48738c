"use client";

import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { clampView } from "@/components/features/runs/timeline/timeline-view";
import type { TimelineZoom } from "@/components/features/runs/timeline/use-timeline-view";

/** Pixels of wheel movement; one notch of a mouse wheel is about a hundred. */
const ZOOM_PER_PX = 0.004;
/** A press that moves less than this is not a drag. */
const LEAST_PX = 5;

/** A range being marked, in percent of the axis. */
export interface Brush {
  from: number;
  to: number;
}

/**
 * Handles time with the pointer: Ctrl and the wheel (or two fingers on a touch pad) zoom around the pointer, sideways
 * scrolling or Shift with the wheel moves, and a range dragged on the axis is shown.
 */
export function useTimeGestures(
  table: RefObject<HTMLElement | null>,
  axis: RefObject<HTMLElement | null>,
  zoom: TimelineZoom,
) {
  const [brush, setBrush] = useState<Brush | null>(null);
  const latest = useRef(zoom);
  useEffect(() => {
    latest.current = zoom;
  });
  useEffect(() => {
    const box = table.current;
    if (box === null) return;
    const turn = (event: WheelEvent) => onWheel(event, axis.current, latest.current);
    // Not React's listener, which cannot keep the page from zooming or scrolling.
    box.addEventListener("wheel", turn, { passive: false });
    return () => box.removeEventListener("wheel", turn);
  }, [table, axis]);

  const at = (event: PointerEvent<HTMLElement>) => 100 * shareOf(event.clientX, event.currentTarget);
  const onAxis = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setBrush({ from: at(event), to: at(event) });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (brush !== null) setBrush({ ...brush, to: at(event) });
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (brush === null) return;
      setBrush(null);
      const [from, to] = [brush.from, at(event)].sort((a, b) => a - b);
      if (from === undefined || to === undefined) return;
      if (((to - from) / 100) * event.currentTarget.clientWidth < LEAST_PX) return;
      const { view, runMs } = zoom;
      const msOf = (percent: number) => view.fromMs + (percent / 100) * (view.toMs - view.fromMs);
      zoom.show(clampView({ fromMs: msOf(from), toMs: msOf(to) }, runMs));
    },
    onPointerCancel: () => setBrush(null),
    onDoubleClick: () => zoom.show(null),
  };
  return { brush, onAxis };
}

function onWheel(event: WheelEvent, axis: HTMLElement | null, { view, isZoomed, zoom, pan }: TimelineZoom): void {
  if (axis === null) return;
  const lengthMs = view.toMs - view.fromMs;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * ZOOM_PER_PX), view.fromMs + shareOf(event.clientX, axis) * lengthMs);
    return;
  }
  const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
  if (!isZoomed || Math.abs(sideways) < Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
  event.preventDefault();
  pan((sideways / axis.clientWidth) * lengthMs);
}

/** Returns the position within an element's width, from 0 to 1. */
function shareOf(clientX: number, element: HTMLElement): number {
  const { left, width } = element.getBoundingClientRect();
  return width === 0 ? 0 : Math.min(1, Math.max(0, (clientX - left) / width));
}
