"use client";

import { lazy, Suspense } from "react";
import type { WorkflowObject } from "#lib/contract/workflow/workflow";

const ArchiveDialog = lazy(() =>
  import("@/components/features/workflows/archive-dialog").then((m) => ({ default: m.ArchiveDialog })),
);
const TagDialog = lazy(() =>
  import("@/components/features/workflows/tag-dialog").then((m) => ({ default: m.TagDialog })),
);
const DeleteWorkflowDialog = lazy(() =>
  import("@/components/features/workflows/delete-workflow-dialog").then((m) => ({ default: m.DeleteWorkflowDialog })),
);

/** The dialogs about workflows of the list. */
export interface ListQuestion {
  act: "archive" | "tag" | "delete";
  workflows: readonly WorkflowObject[];
}

interface WorkflowDialogsProps {
  question: ListQuestion | null;
  onClose: () => void;
  onArchived: () => void;
  onDeleted?: () => void;
}

export function WorkflowDialogs({ question, onClose, onArchived, onDeleted }: WorkflowDialogsProps) {
  const [first] = question?.workflows ?? [];
  if (question === null || first === undefined) return null;
  return (
    <Suspense>
      {question.act === "archive" ? (
        <ArchiveDialog workflows={question.workflows} onClose={onClose} onDone={onArchived} />
      ) : null}
      {question.act === "tag" ? <TagDialog workflows={question.workflows} onClose={onClose} /> : null}
      {question.act === "delete" ? (
        <DeleteWorkflowDialog workflow={first} onClose={onClose} onDeleted={onDeleted} />
      ) : null}
    </Suspense>
  );
}
