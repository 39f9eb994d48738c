"use client";

import type { ReactNode } from "react";
import type { RunUsageObject } from "#lib/contract/run/run-usage";
import { formatDuration } from "#lib/support/format/format-duration";
import { formatCount, formatNumber, formatPercent } from "#lib/support/format/format-number";
import { useOperation } from "@/components/api/operation-hooks";
import { failureRate, totalOf } from "@/components/features/usage/usage-words";

/** Summarizes the days in four numbers, and shows how many of this month's runs are used. */
export function UsageSummary({ usage }: { usage: RunUsageObject }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-3 border border-border bg-border lg:grid-cols-5">
      <Figure label={`Runs in ${formatCount(usage.days.length, "day")}`} note="Without tests and dry runs">
        {formatNumber(totalOf(usage.counts))}
      </Figure>
      <Figure label="Failed or timed out">{formatPercent(failureRate(usage.counts))}</Figure>
      <Figure label="Median">{formatDuration(usage.p50_ms)}</Figure>
      <Figure label="95th percentile">{formatDuration(usage.p95_ms)}</Figure>
      <Quota />
    </dl>
  );
}

function Quota() {
  const { data } = useOperation("get_usage", {});
  const limit = data?.runs.limit ?? null;
  return (
    <Figure label="Runs this month" note="Of the plan, with tests, in UTC" isWide>
      {data === undefined ? (
        "…"
      ) : (
        <>
          {formatNumber(data.runs.used)}
          <span className="ml-1.5 text-dense font-normal text-text-3">
            {limit === null ? "no limit" : `of ${formatNumber(limit)} (${data.plan})`}
          </span>
        </>
      )}
      {limit === null || data === undefined ? null : (
        <meter className="sr-only" min={0} max={limit} value={data.runs.used}>
          {formatNumber(data.runs.used)} of {formatNumber(limit)}
        </meter>
      )}
    </Figure>
  );
}

interface FigureProps {
  label: string;
  /** What the number counts, if another number on the page counts something else. */
  note?: string;
  isWide?: boolean;
  children: ReactNode;
}

function Figure({ label, note, isWide = false, children }: FigureProps) {
  return (
    <div className={`bg-surface px-4 py-3 ${isWide ? "col-span-2 lg:col-span-1" : ""}`}>
      <dt className="text-dense text-text-3">{label}</dt>
      <dd className="text-page font-semibold tabular-nums">{children}</dd>
      {note === undefined ? null : <dd className="text-dense text-text-3">{note}</dd>}
    </div>
  );
}
