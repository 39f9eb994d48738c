"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import type { RunStatus } from "#lib/contract/run";
import { axisMarks, type Timeline } from "@/components/runs/derive-timeline";
import { TIMELINE_GRID, TimelineRow } from "@/components/runs/timeline-row";
import { describeDuration } from "@/components/ui/format-time";

const MARKS = 5;
/** --h-row of the design. */
const ROW_HEIGHT = 34;
/** Up to here every row is in the page; of more, those near the screen. */
const LONG = 120;
const OVERSCAN = 15;

interface TimelineTableProps {
  timeline: Timeline;
  runStatus: RunStatus;
  selectedKey: string;
  onSelect: (key: string) => void;
  nowMs: number;
}

/** One row per step, top to bottom in the order of their first event; arrow keys move, the chosen row fills the panel. */
export function TimelineTable({ timeline, runStatus, selectedKey, onSelect, nowMs }: TimelineTableProps) {
  const { rows, startMs, endMs } = timeline;
  const list = useRef<HTMLDivElement>(null);
  const selectedIndex = rows.findIndex((row) => row.key === selectedKey);
  const { shown, height, focusRow } = useShownRows(list, rows.length, selectedIndex);

  function move(event: KeyboardEvent<HTMLElement>) {
    // From the row in focus, not the selected one: the address that says so lags behind keys pressed quickly.
    const from = Number(document.activeElement?.getAttribute("data-index") ?? -1);
    const target = targetOf(event.key, from, rows.length);
    const row = target === null ? undefined : rows[target];
    if (target === null || row === undefined) return;
    event.preventDefault();
    if (row.kind !== "folded") onSelect(row.key);
    focusRow(target);
  }

  return (
    <div className="min-w-0">
      <div
        className={clsx(
          TIMELINE_GRID,
          "sticky top-bar z-10 h-row items-center border-b border-border bg-app text-dense text-text-3",
        )}
      >
        <span className="pl-4 font-medium">Step</span>
        <span className="font-medium">Duration</span>
        <Axis lengthMs={endMs - startMs} />
      </div>
      <div className="relative">
        <GridLines lengthMs={endMs - startMs} />
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
                <TimelineRow
                  row={row}
                  index={index}
                  count={rows.length}
                  span={{ startMs, endMs }}
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

/** Which rows are in the page and where: of a long list those near the screen, the chosen one and the one in focus. */
function useShownRows(list: { current: HTMLDivElement | null }, count: number, selectedIndex: number) {
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState<{ index: number } | null>(null);
  // An object: the same row may have to be given the focus again.
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

/** Where a key leads from a row; null for a key that leads nowhere. */
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

/** A label this near the end would stand out over the edge, so it ends at its mark. */
const NEAR_END = 0.9;

function Axis({ lengthMs }: { lengthMs: number }) {
  return (
    <span aria-hidden className="relative hidden h-full pr-4 md:block">
      <span className="relative block h-full">
        {axisMarks(lengthMs, MARKS).map((atMs) => (
          <span
            key={atMs}
            className={clsx(
              "absolute top-2 font-mono text-micro whitespace-nowrap",
              atMs === 0 ? "" : atMs > lengthMs * NEAR_END ? "-translate-x-full" : "-translate-x-1/2",
            )}
            style={{ left: `${(100 * atMs) / lengthMs}%` }}
          >
            {atMs === 0 ? "0" : describeDuration(atMs)}
          </span>
        ))}
      </span>
    </span>
  );
}

/** Hairlines at the axis' marks, behind all rows. */
function GridLines({ lengthMs }: { lengthMs: number }) {
  return (
    <div aria-hidden className={clsx(TIMELINE_GRID, "pointer-events-none absolute inset-0 hidden md:grid")}>
      <span className="relative col-start-3 mr-4">
        {axisMarks(lengthMs, MARKS).map((atMs) => (
          <span
            key={atMs}
            className="absolute inset-y-0 w-px bg-border"
            style={{ left: `${(100 * atMs) / lengthMs}%` }}
          />
        ))}
      </span>
    </div>
  );
}
