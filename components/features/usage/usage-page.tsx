"use client";

import { ChartNoAxesColumn } from "lucide-react";
import { lazy, Suspense } from "react";
import { useOperation } from "@/components/api/operation-hooks";
import { UsageRangeBar, useUsageRange } from "@/components/features/usage/usage-range";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { QueryView } from "@/components/ui/lists/query-view";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { useEarly } from "@/components/ui/use-early";

const loadReport = () => import("@/components/features/usage/usage-report");
const UsageReport = lazy(() => loadReport().then((m) => ({ default: m.UsageReport })));
const EARLY = [loadReport];
const STALE_MS = 60_000;

/** Shows the runs of the last thirty days, or some of them: how many, how they ended and how long they took. */
export function UsagePage() {
  useEarly(EARLY);
  const range = useUsageRange();
  const query = useOperation("get_run_usage", range.input, { staleTime: STALE_MS, keepPrevious: true });
  const isWhole = range.input.from === undefined && range.input.to === undefined;
  return (
    <>
      <PageHeader title="Usage" />
      <UsageRangeBar {...range} />
      <QueryView query={query} skeleton={<UsageSkeleton />} errorTitle="Couldn't load the usage.">
        {(usage) =>
          Object.values(usage.counts).every((count) => count === 0) ? (
            <NoRuns isWhole={isWhole} />
          ) : (
            <Suspense fallback={<UsageSkeleton />}>
              <UsageReport usage={usage} isWhole={isWhole} />
            </Suspense>
          )
        }
      </QueryView>
    </>
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
