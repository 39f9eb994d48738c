"use client";

import { useOperation } from "@/components/api/operation-hooks";
import { RUN_COLUMNS } from "@/components/features/runs/list/run-columns";
import { RunTable } from "@/components/features/runs/list/run-table";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { ErrorState } from "@/components/ui/lists/error-state";
import { TableSkeleton } from "@/components/ui/lists/table-skeleton";

const SHOWN = 10;

/** Lists the latest runs of the action; the full runs list has filters. */
export function ActionRuns({ slug }: { slug: string }) {
  const runs = useOperation("list_runs", { action_slug: slug, limit: SHOWN });
  if (runs.isPending) return <TableSkeleton columns={RUN_COLUMNS} label="Loading runs" />;
  if (runs.data === undefined) {
    return (
      <ErrorState
        title="Couldn't load the runs."
        error={runs.error}
        onRetry={() => void runs.refetch()}
        isRetrying={runs.isFetching}
      />
    );
  }
  if (runs.data.data.length === 0) {
    return (
      <EmptyState
        title="No calls yet"
        action={
          <Button asChild>
            <Link href={`/actions/${slug}?tab=call`}>Call this action</Link>
          </Button>
        }
      >
        Every call to this action appears here.
      </EmptyState>
    );
  }
  return (
    <div className="-mx-4 -mt-4 sm:-mt-6">
      <RunTable runs={runs.data.data} />
      <p className="px-4 py-3">
        <Link href={`/runs?action=${slug}`} className="link">
          All runs of {slug}
        </Link>
      </p>
    </div>
  );
}
