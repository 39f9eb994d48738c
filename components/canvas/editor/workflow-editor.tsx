"use client";

import { useEffect, useState } from "react";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { ClientError } from "@/components/api/client-error";
import { useOperation } from "@/components/api/operation-hooks";
import { EditorFrame } from "@/components/canvas/editor/editor-frame";
import { EditorSkeleton } from "@/components/canvas/editor/editor-skeleton";
import type { PublishPart } from "@/components/canvas/editor/lazy-parts";
import { openLinkedRun, openLinkedStep } from "@/components/canvas/editor/use-workspace-url";
import { WORKFLOW_TRAIL } from "@/components/canvas/header/workflow-trail";
import { DraftProvider } from "@/components/canvas/store/draft-context";
import type { LocalCopy } from "@/components/canvas/store/local-copy";
import { openDraft } from "@/components/canvas/store/open-draft";
import { useChecks } from "@/components/canvas/store/use-checks";
import { useLocalCopy } from "@/components/canvas/store/use-local-copy";
import { ReactFlowProvider } from "@/components/canvas/view/flow";
import { useHasRole } from "@/components/shell/session-context";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/lists/empty-state";
import { ErrorState } from "@/components/ui/lists/error-state";
import { PageHeader } from "@/components/ui/lists/page-header";
import { toast } from "@/components/ui/toast";

/** A workflow's page: loads the current draft and opens it. */
export function WorkflowEditor({ workflowId, publish }: { workflowId: string; publish: PublishPart }) {
  // Always refetched: otherwise a user who returns within moments would wait for an answer that never comes.
  const query = useOperation("get_workflow", { workflow_id: workflowId }, { staleTime: 0 });
  // A cached answer from an earlier visit may be an older draft, whose first save would be refused.
  if (query.data !== undefined && query.isFetchedAfterMount)
    return <RestoredEditor key={workflowId} workflow={query.data} publish={publish} />;
  if (query.isError) {
    const isGone = query.error instanceof ClientError && query.error.code === "NOT_FOUND";
    return (
      <>
        <PageHeader title={isGone ? "Not found" : "Workflow"} trail={WORKFLOW_TRAIL} />
        {isGone ? (
          <NoWorkflow />
        ) : (
          <ErrorState
            title="Couldn't load the workflow."
            error={query.error}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        )}
      </>
    );
  }
  return <EditorSkeleton workflowId={workflowId} />;
}

function NoWorkflow() {
  return (
    <EmptyState
      title="Workflow not found"
      action={
        <Button asChild>
          <Link href="/workflows">All workflows</Link>
        </Button>
      }
    >
      It was deleted or belongs to another workspace.
    </EmptyState>
  );
}

interface EditorProps {
  workflow: WorkflowDetailObject;
  publish: PublishPart;
}

/** Opens the draft once this browser's unsaved copy of it has been read. Almost always there is none. */
function RestoredEditor({ workflow, publish }: EditorProps) {
  const copy = useLocalCopy(workflow.workflow_id);
  if (copy === undefined) return <EditorSkeleton workflowId={workflow.workflow_id} />;
  return <OpenEditor workflow={workflow} publish={publish} copy={copy} />;
}

function OpenEditor({ workflow, publish, copy }: EditorProps & { copy: LocalCopy | null }) {
  const isReadOnly = !useHasRole("editor");
  const [session] = useState(() => openDraft(workflow, { isReadOnly, copy }));
  useChecks(session);
  useEffect(() => session.connect(), [session]);
  useEffect(() => {
    if (session.draft.getState().isRestored) toast.message("Unsaved changes from this browser were restored.");
  }, [session]);
  // A link may open a step, for example from a run that failed there, with the values of that run.
  useEffect(() => {
    openLinkedStep(session.editor);
    openLinkedRun(session);
  }, [session]);
  // Returning to the page refetches the draft and shows other users' work, unless there are unsaved changes.
  useEffect(() => {
    if (session.adopt(workflow)) toast.message("This workflow changed elsewhere. You now see the latest draft.");
  }, [session, workflow]);
  return (
    <DraftProvider session={session}>
      <ReactFlowProvider>
        <EditorFrame publish={publish} />
      </ReactFlowProvider>
    </DraftProvider>
  );
}
