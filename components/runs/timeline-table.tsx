"use client";

import { clsx } from "clsx";
import { UnfoldVertical } from "lucide-react";
import type { KeyboardEvent } from "react";
import { isTerminal, type RunStatus } from "#lib/contract/run";
import { axisMarks, type Timeline, type TimelineRow } from "@/components/runs/derive-timeline";
import { TimelineBar } from "@/components/runs/timeline-bar";
import { describeDuration } from "@/components/ui/format-time";
import { RUN_STATUS_LOOK, STEP_STATUS_LOOK, type StatusLook } from "@/components/ui/status";
import { TONE_TEXT } from "@/components/ui/tone-text";

const GRID = "grid grid-cols-[minmax(0,1fr)_112px] md:grid-cols-[minmax(200px,2fr)_112px_minmax(160px,3fr)]";
const MARKS = 5;

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

  function move(event: KeyboardEvent<HTMLElement>) {
    const options = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=option]")];
    // From the row in focus, not the selected one: the address that says so lags behind keys pressed quickly.
    const from = options.findIndex((option) => option === document.activeElement);
    const target = targetOf(event.key, from, rows.length);
    const row = target === null ? undefined : rows[target];
    if (target === null || row === undefined) return;
    event.preventDefault();
    if (row.kind !== "folded") onSelect(row.key);
    options[target]?.focus();
  }

  return (
    <div className="min-w-0">
      <div
        className={clsx(
          GRID,
          "sticky top-bar z-10 h-row items-center border-b border-border bg-app text-dense text-text-3",
        )}
      >
        <span className="pl-4 font-medium">Step</span>
        <span className="font-medium">Duration</span>
        <Axis lengthMs={endMs - startMs} />
      </div>
      <div className="relative">
        <GridLines lengthMs={endMs - startMs} />
        <div role="listbox" aria-label="Timeline" onKeyDown={move} className="relative">
          {rows.map((row) => (
            <Row
              key={row.key}
              row={row}
              span={{ startMs, endMs }}
              runStatus={runStatus}
              isSelected={row.key === selectedKey}
              onSelect={() => onSelect(row.key)}
              nowMs={nowMs}
            />
          ))}
        </div>
      </div>
    </div>
  );
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

interface RowProps {
  row: TimelineRow;
  span: { startMs: number; endMs: number };
  runStatus: RunStatus;
  isSelected: boolean;
  onSelect: () => void;
  nowMs: number;
}

function Row({ row, span, runStatus, isSelected, onSelect, nowMs }: RowProps) {
  const look = lookOf(row, runStatus);
  if (row.kind === "folded") return <FoldedRow row={row} onSelect={onSelect} />;
  return (
    <div
      role="option"
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
      onClick={onSelect}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onSelect();
      }}
      className={clsx(
        GRID,
        "h-row cursor-pointer items-center border-b border-border -outline-offset-2",
        isSelected ? "bg-accent-weak" : "hover:bg-text/4",
      )}
    >
      <RowName row={row} look={look} />
      <span className="truncate pr-2 font-mono text-dense text-text-2">{durationWords(row, runStatus, nowMs)}</span>
      <span className="hidden pr-4 md:block">
        <TimelineBar {...span} segments={row.segments} tone={look.tone} isRunning={row.isRunning} />
      </span>
    </div>
  );
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
    <div aria-hidden className={clsx(GRID, "pointer-events-none absolute inset-0 hidden md:grid")}>
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

/** Opening takes Enter or a click: arrows lead past it to the rows below. */
function FoldedRow({ row, onSelect }: Pick<RowProps, "row" | "onSelect">) {
  return (
    <div
      role="option"
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

/** Steps of a loop stand to the right of it. */
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
      {/* What is muted says so in the next column; the queue's word is its name. */}
      {isMuted || row.kind === "queued" ? null : (
        <span className="sr-only">
          , {look.word}
          {row.step !== null && row.step.attempt > 1 ? `, attempt ${row.step.attempt}` : ""}
        </span>
      )}
    </span>
  );
}

/** The queue is told by its own word, the whole run by the run's status. */
function lookOf(row: TimelineRow, runStatus: RunStatus): StatusLook {
  if (row.kind === "not_reached" && !isTerminal(runStatus)) return RUN_STATUS_LOOK.accepted;
  if (row.status !== null) return STEP_STATUS_LOOK[row.status];
  if (row.kind === "run") return RUN_STATUS_LOOK[runStatus];
  return runStatus === "waiting_for_approval" && row.isRunning
    ? RUN_STATUS_LOOK.waiting_for_approval
    : RUN_STATUS_LOOK.accepted;
}

function durationWords(row: TimelineRow, runStatus: RunStatus, nowMs: number): string {
  if (row.kind === "not_reached") return isTerminal(runStatus) ? "not reached" : "to come";
  if (row.status === "skipped") return "skipped";
  if (row.step?.reused) return "reused";
  const retries = row.step !== null && row.step.attempt > 1 ? ` ↻${row.step.attempt - 1}` : "";
  const startMs = row.segments[0]?.startMs;
  const ms = row.durationMs ?? (row.isRunning && startMs !== undefined ? Math.max(0, nowMs - startMs) : null);
  return ms === null ? "" : `${describeDuration(ms)}${retries}`;
}
