"use client";

import { ChartNoAxesColumn } from "lucide-react";
import Link from "next/link";
import type { RunUsageObject } from "#lib/contract/web/run-usage";
import { useOperation } from "@/components/api/operation-hooks";
import { DurationsChart } from "@/components/features/usage/durations-chart";
import { RunsChart } from "@/components/features/usage/runs-chart";
import { UsageRangeBar, useUsageRange } from "@/components/features/usage/usage-range";
import { UsageSummary } from "@/components/features/usage/usage-summary";
import { ErrorUsage, KeyUsage, WorkflowUsage } from "@/components/features/usage/usage-tables";
import { totalOf } from "@/components/features/usage/usage-words";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { QueryView } from "@/components/ui/lists/query-view";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";

const STALE_MS = 60_000;

/** Shows the runs of the last thirty days, or some of them: how many, how they ended and how long they took. */
export function UsagePage() {
  const range = useUsageRange();
  const query = useOperation("get_run_usage", range.input, { staleTime: STALE_MS, keepPrevious: true });
  const isWhole = range.input.from === undefined && range.input.to === undefined;
  return (
    <>
      <PageHeader title="Usage" />
      <UsageRangeBar {...range} />
      <QueryView query={query} skeleton={<UsageSkeleton />} errorTitle="Couldn't load the usage.">
        {(usage) =>
          totalOf(usage.counts) === 0 ? <NoRuns isWhole={isWhole} /> : <Report usage={usage} isWhole={isWhole} />
        }
      </QueryView>
    </>
  );
}

function Report({ usage, isWhole }: { usage: RunUsageObject; isWhole: boolean }) {
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

function NoRuns({ isWhole }: { isWhole: boolean }) {
  return (
    <EmptyState
      icon={ChartNoAxesColumn}
      title={isWhole ? "No runs in the last 30 days" : "No runs on these days"}
      action={
        <Button asChild variant="primary">
          <Link href="/actions">Choose an action to call</Link>
        </Button>
      }
    >
      The number, results and durations of your runs appear here.
    </EmptyState>
  );
}

function UsageSkeleton() {
  return (
    <div className="flex w-full max-w-[1200px] flex-col gap-6 p-4 sm:py-6">
      <LoadingLabel>Loading usage</LoadingLabel>
      <Skeleton className="h-[68px] w-full" />
      <div className="grid gap-6 xl:grid-cols-2">
        <Skeleton className="h-60 w-full" />
        <Skeleton className="h-60 w-full" />
      </div>
    </div>
  );
}
