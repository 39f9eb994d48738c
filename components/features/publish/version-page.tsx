"use client";

import Link from "next/link";
import type { WorkflowDetailObject } from "#lib/contract/workflow";
import { useOperation } from "@/components/api/operation-hooks";
import { CompareBar } from "@/components/features/publish/compare-bar";
import { VersionComparisonView } from "@/components/features/publish/version-comparison";
import { VersionList } from "@/components/features/publish/version-list";
import { WorkflowStateBadge } from "@/components/features/workflows/workflow-state-badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { QueryView } from "@/components/ui/lists/query-view";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { optionalTextCodec, type UrlCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";

const numberCodec: UrlCodec<number | null> = {
  read: (text) => (text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null),
  write: (value) => (value === null ? null : String(value)),
};
const CODECS = { from: numberCodec, to: optionalTextCodec };

/** Lists every published version of a workflow and compares any two of them: `?from=1&to=draft`. */
export function VersionPage({ workflowId }: { workflowId: string }) {
  const workflow = useOperation("get_workflow", { workflow_id: workflowId });
  const trail = [
    { label: "Workflows", href: "/workflows" },
    { label: workflow.data?.name ?? "Workflow", href: `/workflows/${workflowId}` },
  ];
  return (
    <>
      <PageHeader
        title="Versions"
        trail={trail}
        actions={
          <Button asChild>
            <Link href={`/workflows/${workflowId}`}>Open canvas</Link>
          </Button>
        }
      >
        {workflow.data === undefined ? null : (
          <span className="hidden md:inline">
            <WorkflowStateBadge workflow={workflow.data} />
          </span>
        )}
      </PageHeader>
      <QueryView query={workflow} skeleton={<VersionSkeleton />} errorTitle="Couldn't load the versions.">
        {(data) => <Versions workflow={data} />}
      </QueryView>
    </>
  );
}

function Versions({ workflow }: { workflow: WorkflowDetailObject }) {
  const [{ from, to }, setUrl] = useUrlState(CODECS);
  if (workflow.versions.length === 0) {
    return (
      <EmptyState
        title="No versions yet"
        action={
          <Button asChild variant="primary">
            <Link href={`/workflows/${workflow.workflow_id}`}>Open canvas</Link>
          </Button>
        }
      >
        Each time you publish this workflow, a version with its changes appears here.
      </EmptyState>
    );
  }
  const target = to === "draft" ? "draft" : numberCodec.read(to);
  return (
    <div className="flex max-w-2xl flex-col gap-6 p-4 sm:py-6">
      <CompareBar
        versions={workflow.versions.map(({ version }) => version)}
        from={from}
        to={target}
        onChange={(next) => setUrl(next === null ? null : { from: next.from, to: String(next.to) })}
      />
      {from === null || target === null ? (
        <VersionList workflow={workflow} />
      ) : (
        <VersionComparisonView workflowId={workflow.workflow_id} from={from} to={target} />
      )}
    </div>
  );
}

function VersionSkeleton() {
  return (
    <div className="flex max-w-2xl flex-col gap-4 p-4 sm:py-6">
      <LoadingLabel>Loading versions</LoadingLabel>
      <Skeleton className="h-8 w-72" />
      <Skeleton className="h-16 w-full rounded-3" />
      <Skeleton className="h-16 w-full rounded-3" />
    </div>
  );
}
