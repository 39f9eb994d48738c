"use client";

import { type RefObject, useState } from "react";
import type { PublishPreview } from "#lib/contract/web";
import type { DeployResult, GraphProblem } from "#lib/contract/workflow";
import type { CanvasControls } from "@/components/canvas/editor/canvas-controls";
import { usePublishLabel } from "@/components/canvas/header/editor-header";
import { useGoToProblem } from "@/components/canvas/header/problem-list";
import { PublishBody, PublishFooter, usePublishForm } from "@/components/publish/publish-form";
import { describeSuccess, SuccessBody, SuccessFooter, SuccessTitle } from "@/components/publish/publish-success";
import { usePublishPreview } from "@/components/publish/use-publish-preview";
import { Dialog } from "@/components/ui/dialog";
import { ErrorState } from "@/components/ui/error-state";
import { LoadingLabel, Skeleton } from "@/components/ui/skeleton";

interface PublishDialogProps {
  controls: RefObject<CanvasControls>;
  onClose: () => void;
}

/** The publish moment on one page: what stands in the way, what changes for callers, and under which name. */
export function PublishDialog({ controls, onClose }: PublishDialogProps) {
  const label = usePublishLabel();
  // The label changes once the first version is live; what the dialog is about does not.
  const [title] = useState(label);
  const [result, setResult] = useState<DeployResult | null>(null);
  const query = usePublishPreview();
  const preview = query.isFetching ? null : (query.data ?? null);
  const form = usePublishForm({ preview, onStale: () => void query.refetch(), onPublished: setResult });
  const goTo = useGoToProblem(controls);
  function walkTo(problem: GraphProblem) {
    onClose();
    // After the dialog has given the focus back.
    setTimeout(() => goTo(problem), 0);
  }
  if (result !== null) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        size="lg"
        title={<SuccessTitle version={result.version} />}
        description={describeSuccess(result)}
        footer={<SuccessFooter result={result} onClose={onClose} />}
      >
        <SuccessBody result={result} />
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title={title}
      description={preview === null ? "Checking the workflow." : describeMoment(preview)}
      footer={<PublishFooter form={form} label={title} onCancel={onClose} />}
    >
      {preview === null ? (
        <PreviewPending error={query.isFetching ? null : query.error} onRetry={() => void query.refetch()} />
      ) : (
        <PublishBody form={form} preview={preview} onWalk={walkTo} />
      )}
    </Dialog>
  );
}

function PreviewPending({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (error !== null) return <ErrorState title="Publishing cannot start" error={error} onRetry={onRetry} />;
  return (
    <div className="flex flex-col gap-3 py-2">
      <LoadingLabel>Checking the workflow</LoadingLabel>
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-24 w-full rounded-3" />
      <Skeleton className="h-8 w-full" />
    </div>
  );
}

function describeMoment({ deployed_version: version, type }: PublishPreview): string {
  if (version === null) {
    return type === "callable"
      ? "The first version goes live. Agents can call it from then on."
      : "The first version goes live. Its trigger starts it from then on.";
  }
  return `Version ${version + 1} replaces version ${version}. Runs in flight finish on the version they began with.`;
}
