"use client";

import type { DeployResult } from "#lib/contract/workflow/workflow";
import { useOperation } from "@/components/api/operation-hooks";
import { PreviewPending } from "@/components/features/publish/preview-pending";
import { PublishBody, PublishFooter } from "@/components/features/publish/publish-form";
import { usePublishForm } from "@/components/features/publish/use-publish-form";
import { Dialog } from "@/components/ui/overlays/dialog";
import { toast } from "@/components/ui/toast";

interface PromoteDialogProps {
  workflowId: string;
  version: number;
  note?: string;
  onClose: () => void;
  onPublished?: (result: DeployResult) => void;
}

/**
 * Publishes an earlier version again, as a new one: a replaced version stays archived (contract, Workflows and
 * versions). The checks and the acknowledgement are the same as for a draft; the draft itself does not change.
 */
export function PromoteDialog({ workflowId, version, note, onClose, onPublished }: PromoteDialogProps) {
  const query = useOperation("preview_publish", { workflow_id: workflowId, version }, { staleTime: 0 });
  const preview = query.isFetching ? null : (query.data ?? null);
  const title = `Publish version ${version} again`;
  const state = usePublishForm({
    workflowId,
    preview,
    note: note ?? `Republishes version ${version}`,
    onStale: () => void query.refetch(),
    onPublished: (result) => {
      toast(`Version ${result.version} is live. It republishes version ${version}.`);
      onPublished?.(result);
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title={title}
      description={
        preview === null
          ? "Checking the version."
          : `This publishes it as version ${preview.next_version}. The draft doesn't change, and runs in progress finish on the version they started with.`
      }
      footer={<PublishFooter state={state} label={title} onCancel={onClose} />}
    >
      {preview === null ? (
        <PreviewPending error={query.isFetching ? null : query.error} onRetry={() => void query.refetch()} />
      ) : (
        <PublishBody state={state} preview={preview} onWalk={null} onKeepName={null} />
      )}
    </Dialog>
  );
}
