"use client";

import type { UsageDay } from "#lib/contract/run/run-usage";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatDay } from "#lib/support/format/format-moment";
import { ChartFrame, Legend } from "@/components/features/usage/chart-frame";
import { endsOf } from "@/components/features/usage/runs-chart";
import { Table, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/lists/table";

const HEIGHT = 100;
const SLOT = 10;
const LINES = [
  { name: "p50_ms", label: "Median", stroke: "stroke-accent", fill: "fill-accent" },
  { name: "p95_ms", label: "95th percentile", stroke: "stroke-timeout", fill: "fill-timeout" },
] as const;
type Line = (typeof LINES)[number];

/** Shows how long successful runs took per day; days without one leave a gap. */
export function DurationsChart({ days }: { days: readonly UsageDay[] }) {
  const most = Math.max(1, ...days.map((day) => day.p95_ms ?? 0));
  return (
    <ChartFrame
      title="Durations"
      legend={<Legend items={LINES.map(({ label, fill }) => ({ label, fill }))} />}
      top={formatDuration(most)}
      ends={endsOf(days)}
      chart={
        <svg
          aria-hidden
          viewBox={`0 0 ${days.length * SLOT} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-36 w-full"
        >
          {LINES.map((line) => (
            <g key={line.name} className={`${line.stroke} fill-none`} strokeLinecap="round">
              <path d={pathOf(days, line, most)} strokeWidth={3} vectorEffect="non-scaling-stroke" />
              <path d={dotsOf(days, line, most)} strokeWidth={8} vectorEffect="non-scaling-stroke" />
            </g>
          ))}
        </svg>
      }
      table={<DurationsTable days={days} />}
    />
  );
}

/** Lines through the days that have a value. */
function pathOf(days: readonly UsageDay[], { name }: Line, most: number): string {
  return days
    .map((day, index) => {
      const value = day[name];
      if (value === null) return "";
      return `${hasValue(days[index - 1], name) ? "L" : "M"}${pointOf(index, value, most)}`;
    })
    .join(" ");
}

/** Single days between days without a value: a zero-length line with round ends. */
function dotsOf(days: readonly UsageDay[], { name }: Line, most: number): string {
  return days
    .map((day, index) => {
      const value = day[name];
      const isAlone = !hasValue(days[index - 1], name) && !hasValue(days[index + 1], name);
      return value === null || !isAlone ? "" : `M${pointOf(index, value, most)} l0 0`;
    })
    .join(" ");
}

function hasValue(day: UsageDay | undefined, name: Line["name"]): boolean {
  return (day?.[name] ?? null) !== null;
}

function pointOf(index: number, value: number, most: number): string {
  return `${(index + 0.5) * SLOT} ${HEIGHT - (value / most) * (HEIGHT - 8) - 4}`;
}

function DurationsTable({ days }: { days: readonly UsageDay[] }) {
  return (
    <Table caption="Durations per day" isPlain>
      <TableHead>
        <TableHeader>Day</TableHeader>
        {LINES.map(({ name, label }) => (
          <TableHeader key={name}>{label}</TableHeader>
        ))}
      </TableHead>
      <tbody>
        {days.toReversed().map((day) => (
          <TableRow key={day.day}>
            <TableCell>{formatDay(day.day)}</TableCell>
            {LINES.map(({ name }) => (
              <TableCell key={name}>{formatDuration(day[name])}</TableCell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
