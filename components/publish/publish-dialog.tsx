"use client";

import { type RefObject, useState } from "react";
import type { DeployResult, GraphProblem } from "#lib/contract/workflow";
import type { CanvasControls } from "@/components/canvas/editor/canvas-controls";
import { usePublishLabel } from "@/components/canvas/header/editor-header";
import { useGoToProblem } from "@/components/canvas/header/problem-list";
import { PublishForm } from "@/components/publish/publish-form";
import { PublishSuccess } from "@/components/publish/publish-success";
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
  // The label changes once the first version is live, the dialog's title must not.
  const [title] = useState(label);
  const [result, setResult] = useState<DeployResult | null>(null);
  const preview = usePublishPreview();
  const goTo = useGoToProblem(controls);
  function walkTo(problem: GraphProblem) {
    onClose();
    // After the dialog has given the focus back.
    requestAnimationFrame(() => goTo(problem));
  }
  if (result !== null) return <PublishSuccess result={result} onClose={onClose} />;
  if (preview.data !== undefined && !preview.isFetching) {
    return (
      <PublishForm
        title={title}
        preview={preview.data}
        onClose={onClose}
        onWalk={walkTo}
        onStale={() => void preview.refetch()}
        onPublished={setResult}
      />
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={title} size="lg">
      {preview.isError && !preview.isFetching ? (
        <ErrorState title="Publishing cannot start" error={preview.error} onRetry={() => void preview.refetch()} />
      ) : (
        <div className="flex flex-col gap-3 py-2">
          <LoadingLabel>Checking the workflow</LoadingLabel>
          <Skeleton className="h-5 w-48" />
          <Skeleton className="h-24 w-full rounded-3" />
          <Skeleton className="h-8 w-full" />
        </div>
      )}
    </Dialog>
  );
}
