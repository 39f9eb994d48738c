"use client";

import type { VersionComparison } from "#lib/contract/action/publish";
import { useOperation } from "@/components/api/operation-hooks";
import { GraphChangeList } from "@/components/canvas/view/graph-change-list";
import { OutputChangeList } from "@/components/features/publish/output-change-list";
import { Chip } from "@/components/ui/chip";
import { ErrorState } from "@/components/ui/lists/error-state";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";

interface VersionComparisonProps {
  workflowId: string;
  from: number;
  to: number | "draft";
}

/** Compares two versions: the contract for callers, and step by step. */
export function VersionComparisonView({ workflowId, from, to }: VersionComparisonProps) {
  const comparison = useOperation("compare_versions", { workflow_id: workflowId, from, to });
  if (comparison.data !== undefined) return <Differences comparison={comparison.data} />;
  if (comparison.isPending) {
    return (
      <div className="flex flex-col gap-2">
        <LoadingLabel>Comparing</LoadingLabel>
        <Skeleton className="h-4 w-48" />
        <Skeleton className="h-12 w-full rounded-3" />
      </div>
    );
  }
  return (
    <ErrorState
      title="Couldn't compare the versions."
      error={comparison.error}
      onRetry={() => void comparison.refetch()}
      isRetrying={comparison.isFetching}
    />
  );
}

function Differences({ comparison }: { comparison: VersionComparison }) {
  const { changes, output_changes: outputChanges, graph } = comparison;
  return (
    <div className="flex flex-col gap-4">
      {changes.length === 0 ? null : (
        <section aria-label="Input" className="flex flex-col gap-2">
          <h2 className="font-medium">Input</h2>
          <ul className="divide-y divide-border rounded-3 border border-border">
            {changes.map((change) => (
              <li
                key={`${change.field} ${change.kind}`}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5"
              >
                <Chip tone={change.breaking ? "err" : "ok"}>{change.breaking ? "Breaking" : "Safe"}</Chip>
                <span className="text-text-2 [overflow-wrap:anywhere]">{change.message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {outputChanges.length === 0 ? null : (
        <section aria-label="Output" className="flex flex-col gap-2">
          <h2 className="font-medium">Output</h2>
          <OutputChangeList changes={outputChanges} />
        </section>
      )}
      <section aria-label="Steps" className="flex flex-col gap-2">
        <h2 className="font-medium">Steps</h2>
        <GraphChangeList changes={graph} />
      </section>
    </div>
  );
}
