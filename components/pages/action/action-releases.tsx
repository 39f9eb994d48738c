"use client";

import { TriangleAlert } from "lucide-react";
import type { ActionDetailObject } from "#lib/contract/action/action";
import { useOperation } from "@/components/api/operation-hooks";
import { VersionList } from "@/components/features/publish/version-list";
import { Chip } from "@/components/ui/chip";
import { QueryView } from "@/components/ui/lists/query-view";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";

/** The releases of an action: versions of its workflow, with those marked that broke callers. */
export function ActionReleases({ action }: { action: ActionDetailObject }) {
  const workflow = useOperation("get_workflow", { workflow_id: action.workflow_id });
  const breaking = action.releases.filter((release) => release.breaking).map(({ version }) => version);
  return (
    <div className="flex max-w-2xl flex-col gap-3">
      {breaking.length === 0 ? null : (
        <p className="flex flex-wrap items-center gap-2 text-text-2">
          <Chip tone="warn" icon={TriangleAlert}>
            Breaking input change
          </Chip>
          in {breaking.map((version) => `v${version}`).join(", ")}, of the last ten releases.
        </p>
      )}
      <QueryView query={workflow} skeleton={<ReleaseSkeleton />} errorTitle="Couldn't load the releases.">
        {(data) => <VersionList workflow={data} />}
      </QueryView>
    </div>
  );
}

function ReleaseSkeleton() {
  return (
    <>
      <LoadingLabel>Loading the releases</LoadingLabel>
      <Skeleton className="h-20 w-full rounded-3" />
      <Skeleton className="h-20 w-full rounded-3" />
    </>
  );
}
