"use client";

import type { RunUsageObject } from "#lib/contract/run/run-usage";
import { DurationsChart } from "@/components/features/usage/durations-chart";
import { RunsChart } from "@/components/features/usage/runs-chart";
import { UsageSummary } from "@/components/features/usage/usage-summary";
import { ErrorUsage, KeyUsage, WorkflowUsage } from "@/components/features/usage/usage-tables";

/** The summary, the charts and the tables of a range of days. */
export function UsageReport({ usage, isWhole }: { usage: RunUsageObject; isWhole: boolean }) {
  const [first, last] = [usage.days[0], usage.days.at(-1)];
  const span = isWhole || !first || !last ? undefined : { from: first.from, to: last.to };
  return (
    <div className="flex w-full max-w-[1200px] flex-col gap-6 p-4 sm:py-6">
      <UsageSummary usage={usage} />
      <div className="grid gap-6 xl:grid-cols-2">
        <RunsChart days={usage.days} />
        <DurationsChart days={usage.days} />
      </div>
      <WorkflowUsage workflows={usage.workflows} span={span} />
      <div className="grid gap-6 lg:grid-cols-2">
        <KeyUsage keys={usage.keys} span={span} />
        <ErrorUsage errors={usage.errors} span={span} />
      </div>
      <p className="text-dense text-text-3">Days are in {usage.time_zone}. Draft tests and dry runs aren't counted.</p>
    </div>
  );
}
