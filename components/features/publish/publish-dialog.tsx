"use client";

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import type { PublishPreview } from "#lib/contract/action/publish";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import type { DeployResult, GraphProblem, SchemaChange } from "#lib/contract/workflow/workflow";
import { callOperation } from "@/components/api/call-operation";
import { keepOldName } from "@/components/canvas/document/keep-old-name";
import { usePublishLabel } from "@/components/canvas/header/editor-header";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useDraft, useDraftSession, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { useGoToProblem } from "@/components/canvas/view/problem-button";
import { PreviewPending } from "@/components/features/publish/preview-pending";
import { PromoteDialog } from "@/components/features/publish/promote-dialog";
import { PublishBody, PublishFooter } from "@/components/features/publish/publish-form";
import {
  describeSuccess,
  SuccessBody,
  SuccessFooter,
  SuccessTitle,
} from "@/components/features/publish/publish-success";
import { usePublishForm } from "@/components/features/publish/use-publish-form";
import { Dialog } from "@/components/ui/overlays/dialog";

interface PublishDialogProps {
  controls: RefObject<CanvasControls>;
  onClose: () => void;
}

interface Published {
  result: DeployResult;
  inputSchema: InputSchema;
}

/** The publish dialog: what blocks publishing, what changes for whom, the slug, and then what to do next. */
export function PublishDialog({ controls, onClose }: PublishDialogProps) {
  const session = useDraftSession();
  const [published, setPublished] = useState<Published | null>(null);
  const [isUndoing, setUndoing] = useState(false);
  if (published === null) return <Decide controls={controls} onClose={onClose} onPublished={setPublished} />;
  const { result, inputSchema } = published;
  if (isUndoing) {
    return (
      <PromoteDialog
        workflowId={result.workflow_id}
        version={result.version - 1}
        note={`Reverts version ${result.version}`}
        onClose={onClose}
        onPublished={() => void session.refresh()}
      />
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title={<SuccessTitle version={result.version} />}
      description={describeSuccess(result)}
      footer={<SuccessFooter result={result} onUndo={() => setUndoing(true)} onClose={onClose} />}
    >
      <SuccessBody result={result} inputSchema={inputSchema} />
    </Dialog>
  );
}

interface DecideProps extends PublishDialogProps {
  onPublished: (published: Published) => void;
}

function Decide({ controls, onClose, onPublished }: DecideProps) {
  const session = useDraftSession();
  const label = usePublishLabel();
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  // The label changes once the first version is live; the dialog's subject does not.
  const [title] = useState(label);
  const query = usePublishPreview();
  const preview = query.isFetching ? null : (query.data ?? null);
  const state = usePublishForm({
    workflowId,
    preview,
    onStale: () => void query.refetch(),
    onPublished: (result) => {
      if (preview !== null) onPublished({ result, inputSchema: preview.input_after });
      void session.refresh();
    },
  });
  const goTo = useGoToProblem(controls);
  const editor = useEditorStore();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  /** Saved with the draft before the preview is loaded again. */
  function keepName({ field, new_field: newField = "" }: SchemaChange, isKept: boolean) {
    const { definition, edit } = editor.getState();
    edit(keepOldName(definition, { field: newField, alias: field }, isKept));
    void query.refetch();
  }
  function walkTo(problem: GraphProblem) {
    onClose();
    // Runs after the dialog has returned the focus.
    setTimeout(() => goTo(problem), 0);
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title={title}
      description={preview === null ? "Checking the workflow." : describeMoment(preview)}
      footer={<PublishFooter state={state} label={title} onCancel={onClose} />}
    >
      {preview === null ? (
        <PreviewPending error={query.isFetching ? null : query.error} onRetry={() => void query.refetch()} />
      ) : (
        <PublishBody state={state} preview={preview} onWalk={walkTo} onKeepName={isReadOnly ? null : keepName} />
      )}
    </Dialog>
  );
}

function describeMoment({ deployed_version: version, next_version: next, type }: PublishPreview): string {
  if (version === null) {
    return type === "callable"
      ? "This publishes the first version. Agents can call it as soon as it's live."
      : "This publishes the first version. Its trigger starts runs as soon as it's live.";
  }
  return `Version ${next} replaces version ${version}. Runs in progress finish on the version they started with.`;
}

/**
 * Loads what publishing would check and change. The draft is saved first, so the preview shows exactly what will be
 * published; `draft_revision` proves that to the server.
 */
function usePublishPreview(): UseQueryResult<PublishPreview, Error> {
  const { saveNow } = useDraftSession();
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  return useQuery({
    queryKey: ["preview_publish", workflowId],
    queryFn: async () => {
      if (!(await saveNow())) throw new Error("The draft isn't saved yet. Save it before you publish.");
      return callOperation("preview_publish", { workflow_id: workflowId });
    },
    // Never cached, and never refetched on its own while the dialog is open.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  });
}
