"use client";

import type { UsageDay } from "#lib/contract/run-usage";
import { describeDuration } from "@/components/ui/format-time";
import { Table, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { ChartFrame, Legend } from "@/components/usage/chart-frame";
import { endsOf } from "@/components/usage/runs-chart";
import { describeDay } from "@/components/usage/usage-words";

const HEIGHT = 100;
const SLOT = 10;
const LINES = [
  { name: "p50_ms", label: "Half", stroke: "stroke-accent", fill: "fill-accent" },
  { name: "p95_ms", label: "95 of 100", stroke: "stroke-timeout", fill: "fill-timeout" },
] as const;
type Line = (typeof LINES)[number];

/** How long successful runs took, day by day; days without one leave a gap. */
export function DurationsChart({ days }: { days: readonly UsageDay[] }) {
  const most = Math.max(1, ...days.map((day) => day.p95_ms ?? 0));
  return (
    <ChartFrame
      title="Durations"
      legend={<Legend items={LINES.map(({ label, fill }) => ({ label: `${label} within`, fill }))} />}
      top={describeDuration(most)}
      ends={endsOf(days)}
      chart={
        <svg
          aria-hidden
          viewBox={`0 0 ${days.length * SLOT} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-36 w-full"
        >
          {LINES.map((line) => (
            <path
              key={line.name}
              d={pathOf(days, line, most)}
              className={`${line.stroke} fill-none`}
              strokeWidth={3}
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
      }
      table={<DurationsTable days={days} />}
    />
  );
}

/** A line through the days that have a value. One alone is a dot: a line of no length with round ends. */
function pathOf(days: readonly UsageDay[], { name }: Line, most: number): string {
  return days
    .map((day, index) => {
      const value = day[name];
      if (value === null) return "";
      const point = `${(index + 0.5) * SLOT} ${HEIGHT - (value / most) * (HEIGHT - 4) - 2}`;
      const isStart = (days[index - 1]?.[name] ?? null) === null;
      return isStart ? `M${point} l0 0` : `L${point}`;
    })
    .join(" ");
}

function DurationsTable({ days }: { days: readonly UsageDay[] }) {
  return (
    <Table caption="Durations per day" isPlain>
      <TableHead>
        <TableHeader>Day</TableHeader>
        {LINES.map(({ name, label }) => (
          <TableHeader key={name}>{label} within</TableHeader>
        ))}
      </TableHead>
      <tbody>
        {days.toReversed().map((day) => (
          <TableRow key={day.day}>
            <TableCell>{describeDay(day.day)}</TableCell>
            {LINES.map(({ name }) => (
              <TableCell key={name}>{describeMaybe(day[name])}</TableCell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

export function describeMaybe(ms: number | null): string {
  return ms === null ? "–" : describeDuration(ms);
}
