"use client";

import { lazy, Suspense } from "react";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { CompareBar } from "@/components/features/publish/compare-bar";
import { WorkflowFrame } from "@/components/features/workflows/workflow-frame";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { optionalTextCodec, type UrlCodec } from "@/components/ui/url-codecs";
import { useEarly } from "@/components/ui/use-early";
import { useUrlState } from "@/components/ui/use-url-state";

/** The versions and their comparison, with what describes changes, load together with the workflow. */
const loadList = () => import("@/components/features/publish/version-list");
const loadComparison = () => import("@/components/features/publish/version-comparison");
const VersionList = lazy(() => loadList().then((m) => ({ default: m.VersionList })));
const VersionComparisonView = lazy(() => loadComparison().then((m) => ({ default: m.VersionComparisonView })));
const EARLY = [loadList, loadComparison];

const numberCodec: UrlCodec<number | null> = {
  read: (text) => (text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null),
  write: (value) => (value === null ? null : String(value)),
};
const CODECS = { from: numberCodec, to: optionalTextCodec };

/** Lists every published version of a workflow and compares any two of them: `?from=1&to=draft`. */
export function VersionPage({ workflowId }: { workflowId: string }) {
  useEarly(EARLY);
  return (
    <WorkflowFrame
      workflowId={workflowId}
      title="Versions"
      noun="the versions"
      actions={
        <Button asChild>
          <Link href={`/workflows/${workflowId}`}>Open canvas</Link>
        </Button>
      }
      skeleton={<VersionSkeleton />}
    >
      {(workflow) => (
        <Suspense fallback={<VersionSkeleton />}>
          <Versions workflow={workflow} />
        </Suspense>
      )}
    </WorkflowFrame>
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
