"use client";

import { Pencil } from "lucide-react";
import { lazy, Suspense } from "react";
import { isTerminal, type RunObject } from "#lib/contract/run/run";
import { CancelRunButton } from "@/components/features/runs/cancel-run-button";
import { editorAddress } from "@/components/features/runs/editor-address";
import { useRunGraph } from "@/components/features/runs/graph/use-run-graph";
import { ReplayButton } from "@/components/features/runs/replay/replay-button";
import { REPLAY_CODECS, replayRefusal } from "@/components/features/runs/replay/replay-offer";
import { RunAgainButton } from "@/components/features/runs/replay/run-again-button";
import { RunFactsLine } from "@/components/features/runs/run-facts-line";
import { RunLineage } from "@/components/features/runs/run-lineage";
import { useRun } from "@/components/features/runs/use-run";
import { RunTimeline } from "@/components/pages/run/run-timeline";
import { DetailFailure } from "@/components/shell/detail-failure";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/lists/page-header";
import { LoadingLabel, Skeleton } from "@/components/ui/lists/skeleton";
import { optionalTextCodec } from "@/components/ui/url-codecs";
import { useUrlState } from "@/components/ui/use-url-state";
import { shortId } from "@/components/words/short-id";
import { RunStatusChip } from "@/components/words/status-chip";

const ReplayDialog = lazy(() =>
  import("@/components/features/runs/replay/replay-dialog").then((m) => ({ default: m.ReplayDialog })),
);

const LIST = { label: "Runs", href: "/runs" };

export function RunDetail({ runId }: { runId: string }) {
  const run = useRun(runId);
  if (run.data) return <LoadedRun run={run.data} />;
  if (run.isPending) return <RunSkeleton runId={runId} />;
  return (
    <DetailFailure query={run} noun="run" title={shortId(runId)} list={LIST}>
      No run in this workspace has the id {runId}.
    </DetailFailure>
  );
}

function LoadedRun({ run }: { run: RunObject }) {
  const isDeleted = useRunGraph(run)?.is_deleted ?? false;
  return (
    <>
      <PageHeader
        title={<span className="font-mono font-medium">{shortId(run.run_id)}</span>}
        trail={[LIST]}
        actions={<RunButtons run={run} isDeleted={isDeleted} />}
      >
        <span className="-ml-2 hidden sm:inline">
          <CopyButton value={run.run_id} label="Copy the run ID" />
        </span>
        <span aria-live="polite" className="max-sm:hidden">
          <RunStatusChip status={run.status} />
        </span>
        <RunFactsLine run={run} className="flex-1 basis-0 max-xl:hidden" />
      </PageHeader>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-border px-4 py-2 xl:hidden">
        <span aria-live="polite" className="sm:hidden">
          <RunStatusChip status={run.status} />
        </span>
        <RunFactsLine run={run} className="flex-wrap" />
      </div>
      {isDeleted ? (
        <p className="border-b border-border px-4 py-2 text-text-2">
          The workflow was deleted. You can view its runs, but not replay them.
        </p>
      ) : null}
      <RunLineage run={run} />
      <RunTimeline key={`timeline-${run.run_id}`} run={run} />
      {isDeleted ? null : <AskedReplay key={run.run_id} run={run} />}
    </>
  );
}

function RunButtons({ run, isDeleted }: { run: RunObject; isDeleted: boolean }) {
  const canEdit = useHasRole("editor");
  return (
    <>
      {isDeleted ? null : (
        <Button asChild>
          <Link href={editorAddress({ workflowId: run.workflow_id, runId: run.run_id })} aria-label="Open in editor">
            <Pencil aria-hidden className="size-3.5" />
            <span className="hidden xl:inline">Open in editor</span>
          </Link>
        </Button>
      )}
      {isTerminal(run.status) || !canEdit ? null : <CancelRunButton runId={run.run_id} />}
      {run.action_slug === null || isDeleted ? null : <RunAgainButton run={run} slug={run.action_slug} />}
      {isDeleted ? null : <ReplayButton run={run} />}
    </>
  );
}

const CODECS = { ...REPLAY_CODECS, step: optionalTextCodec };

/** The replay dialog, if the address asks for it. */
function AskedReplay({ run }: { run: RunObject }) {
  const [{ replay: mode, step, version }, setUrl] = useUrlState(CODECS);
  const canEdit = useHasRole("editor");
  if (mode === null || replayRefusal(run, canEdit) !== null) return null;
  return (
    <Suspense>
      <ReplayDialog
        run={run}
        mode={mode}
        stepId={step?.split(".")[0] ?? null}
        version={version}
        onClose={() => setUrl({ replay: null, version: "same" })}
      />
    </Suspense>
  );
}

function RunSkeleton({ runId }: { runId: string }) {
  return (
    <>
      <PageHeader title={<span className="font-mono font-medium">{shortId(runId)}</span>} trail={[LIST]}>
        <Skeleton className="h-[22px] w-24 rounded-full" />
      </PageHeader>
      <LoadingLabel>Loading the run</LoadingLabel>
      <div className="grid flex-1 grid-cols-1 content-start lg:grid-cols-[minmax(0,1fr)_minmax(320px,420px)]">
        <div>
          {["20%", "70%", "30%", "55%", "40%", "48%"].map((width) => (
            <div key={width} className="flex h-row items-center border-b border-border px-4 first:h-10">
              <span style={{ width }}>
                <Skeleton className="h-3.5 w-full" />
              </span>
            </div>
          ))}
        </div>
        <div className="hidden flex-col gap-3 border-l border-border bg-surface p-4 lg:flex lg:h-[calc(100dvh-var(--h-bar))]">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-32 w-full" />
        </div>
      </div>
    </>
  );
}
