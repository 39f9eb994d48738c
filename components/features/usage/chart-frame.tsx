"use client";

import { ChartNoAxesColumn, Table2 } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Button } from "@/components/ui/button";

interface ChartFrameProps {
  title: string;
  /** What the colors mean. */
  legend: ReactNode;
  /** The largest value, at the top of the chart. */
  top: string;
  /** The first and the last day. */
  ends: readonly [string, string];
  chart: ReactNode;
  /** The same data as a table, for users who can't see the chart or want exact numbers. */
  table: ReactNode;
}

/** A chart with labeled axes, or the table with its data. */
export function ChartFrame({ title, legend, top, ends, chart, table }: ChartFrameProps) {
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  const Icon = isTable ? ChartNoAxesColumn : Table2;
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2 rounded-3 border border-border bg-surface p-4">
      <div className="flex items-center justify-between gap-4">
        <h2 id={id} className="text-title font-semibold">
          {title}
        </h2>
        <Button
          variant="ghost"
          size="sm"
          className="-mr-2"
          aria-label={`${title}: show as a ${isTable ? "chart" : "table"}`}
          onClick={() => setIsTable(!isTable)}
        >
          <Icon aria-hidden className="size-3.5" />
          {isTable ? "Chart" : "Table"}
        </Button>
      </div>
      {isTable ? null : legend}
      {isTable ? (
        table
      ) : (
        <div className="flex flex-col gap-1 text-dense text-text-3">
          <p className="sr-only">A chart. Use the button to show the same data as a table.</p>
          <span aria-hidden className="self-start">
            {top}
          </span>
          <div aria-hidden className="border-b border-border-strong">
            {chart}
          </div>
          <div aria-hidden className="flex justify-between">
            <span>{ends[0]}</span>
            <span>{ends[1]}</span>
          </div>
        </div>
      )}
    </section>
  );
}

export function Legend({ items }: { items: readonly { label: string; fill: string }[] }) {
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 text-dense text-text-2">
      {items.map(({ label, fill }) => (
        <li key={label} className="flex items-center gap-1.5">
          <svg aria-hidden viewBox="0 0 10 10" className="size-2.5">
            <rect width="10" height="10" rx="2" className={fill} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}
