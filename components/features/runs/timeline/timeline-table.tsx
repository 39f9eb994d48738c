"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import type { RunStatus } from "#lib/contract/run/run";
import type { Timeline } from "@/components/features/runs/timeline/derive-timeline";
import { GridLines, TimelineAxis } from "@/components/features/runs/timeline/timeline-axis";
import { useTimeGestures } from "@/components/features/runs/timeline/use-time-gestures";
import type { TimelineZoom } from "@/components/features/runs/timeline/use-timeline-view";
import { TIMELINE_GRID, WaterfallRow } from "@/components/features/runs/timeline/waterfall-row";

/** --h-row of the design. */
const ROW_HEIGHT = 34;
/** Up to this many rows are all rendered; of more, only those near the screen. */
const LONG = 120;
const OVERSCAN = 15;

interface TimelineTableProps {
  timeline: Timeline;
  runStatus: RunStatus;
  selectedKey: string;
  onSelect: (key: string) => void;
  nowMs: number;
  zoom: TimelineZoom;
}

/**
 * Shows one row per step, in the order of their first event. Arrow keys move, the selected row opens in the panel, and
 * other keys change the visible range.
 */
export function TimelineTable({ timeline, runStatus, selectedKey, onSelect, nowMs, zoom }: TimelineTableProps) {
  const { rows, startMs } = timeline;
  const { view, runMs, isZoomed } = zoom;
  const [table, list] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const axis = useRef<HTMLSpanElement>(null);
  const { brush, onAxis } = useTimeGestures(table, axis, zoom);
  const visible = { startMs: startMs + view.fromMs, endMs: startMs + view.toMs };
  const selectedIndex = rows.findIndex((row) => row.key === selectedKey);
  const { shown, height, focusRow } = useShownRows(list, rows.length, selectedIndex);

  function move(event: KeyboardEvent<HTMLElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (changeTime(event.key, zoom, rows[selectedIndex])) return event.preventDefault();
    // From the focused row, not the selected one: the URL lags behind keys that are pressed quickly.
    const from = Number(document.activeElement?.getAttribute("data-index") ?? -1);
    const target = targetOf(event.key, from, rows.length);
    const row = target === null ? undefined : rows[target];
    if (target === null || row === undefined) return;
    event.preventDefault();
    if (row.kind !== "folded") onSelect(row.key);
    focusRow(target);
  }

  return (
    <div ref={table} className="min-w-0">
      <div
        className={clsx(
          TIMELINE_GRID,
          "sticky top-bar z-10 content-center items-center border-b border-border bg-app pt-1.5 text-dense text-text-3 md:h-row md:pt-0",
        )}
      >
        <span className="pl-4 font-medium">Step</span>
        <span className="pr-4 font-medium md:pr-0">Duration</span>
        <TimelineAxis axis={axis} view={view} runMs={runMs} isZoomed={isZoomed} brush={brush} {...onAxis} />
      </div>
      <div className="relative">
        <GridLines view={view} isZoomed={isZoomed} />
        <div
          ref={list}
          role="listbox"
          aria-label="Timeline"
          onKeyDown={move}
          className="relative"
          style={height === null ? undefined : { height }}
        >
          {shown.map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={row.key}
                role="presentation"
                {...(start === null ? {} : { className: "absolute inset-x-0", style: { top: start } })}
              >
                <WaterfallRow
                  row={row}
                  index={index}
                  count={rows.length}
                  shown={visible}
                  runStatus={runStatus}
                  isSelected={index === selectedIndex}
                  onSelect={() => onSelect(row.key)}
                  nowMs={nowMs}
                />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Applies a key to the visible range; returns false if the key has no effect on it. */
function changeTime(key: string, zoom: TimelineZoom, selected: Timeline["rows"][number] | undefined): boolean {
  if (key === "+" || key === "=") zoom.step("in", selected);
  else if (key === "-") zoom.step("out", selected);
  else if (key === "ArrowLeft") zoom.step("earlier", selected);
  else if (key === "ArrowRight") zoom.step("later", selected);
  else if (key === "0") zoom.show(null);
  else if (key === "f" && selected !== undefined) zoom.fit(selected);
  else return false;
  return true;
}

/**
 * Decides which rows are rendered and where: of a long list, those near the screen, the selected one and the focused
 * one.
 */
function useShownRows(list: { current: HTMLDivElement | null }, count: number, selectedIndex: number) {
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<{ index: number } | null>(null);
  // An object, because the same row may have to be focused again.
  const focusRow = (index: number) => setFocused({ index });
  const isLong = count > LONG;
  const virtualizer = useWindowVirtualizer({
    count: isLong ? count : 0,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  useLayoutEffect(() => {
    const box = list.current?.getBoundingClientRect();
    if (box !== undefined) setTop(Math.round(box.top + window.scrollY));
  }, [list]);
  useLayoutEffect(() => {
    if (focused === null) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-index="${focused.index}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }, [focused, list]);
  if (!isLong) {
    const shown = Array.from({ length: count }, (_, index) => ({ index, start: null }));
    return { shown, height: null, focusRow };
  }
  const near = virtualizer.getVirtualItems().map((item) => item.index);
  const all = new Set([...near, selectedIndex, focused?.index ?? -1].filter((index) => index >= 0 && index < count));
  const shown = [...all].sort((a, b) => a - b).map((index) => ({ index, start: index * ROW_HEIGHT }));
  return { shown, height: count * ROW_HEIGHT, focusRow };
}

/** Returns the row that a key moves to, or null. */
function targetOf(key: string, from: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
      return from + 1;
    case "ArrowUp":
      return from - 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
