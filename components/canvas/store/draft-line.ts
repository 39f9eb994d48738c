import { createStore, type StoreApi } from "zustand/vanilla";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import type { Drawing } from "@/components/canvas/document/merge-drawings";
import { type Autosave, createAutosave, type SaveFailure } from "@/components/canvas/store/autosave";
import { isSameTracked } from "@/components/canvas/store/document-slice";
import { drawingOf, isSameContent, readDrawing } from "@/components/canvas/store/draft-conflict";
import { type DraftState, factsOf, newDraftState } from "@/components/canvas/store/draft-state";
import { createEditorStore, type EditorStore } from "@/components/canvas/store/editor-store";
import { type LocalCopy, removeLocalCopy, writeLocalCopy } from "@/components/canvas/store/local-copy";

/** The connection between an open editor and the server. */
export interface DraftLine {
  workflowId: string;
  editor: EditorStore;
  draft: StoreApi<DraftState>;
  autosave: Autosave;
  /** The content that the server has, so that a save sends only the difference. */
  saved: Drawing;
  /** Content that was sent since. The server may have it even though no answer arrived. */
  unanswered: Drawing[];
  /** False while the editor's content is based on a revision that no longer exists. */
  isBaseKnown: boolean;
  /** Resolves once a conflict from a save is merged or shown. */
  settling: Promise<void> | null;
}

/** What is known when a draft opens. */
export interface DraftOptions {
  isReadOnly: boolean;
  /** This browser's copy of the draft. */
  copy: LocalCopy | null;
}

/** @param settle resolves a conflict, by itself or by asking the user */
export function createDraftLine(
  workflow: WorkflowDetailObject,
  { isReadOnly, copy: stored }: DraftOptions,
  settle: (line: DraftLine) => Promise<void>,
): DraftLine {
  const workflowId = workflow.workflow_id;
  const copy = isReadOnly ? null : unsavedCopy(workflow, stored);
  const editor = createEditorStore({ ...(copy ?? drawingOf(workflow)), isReadOnly, now: Date.now });
  const draft = createStore<DraftState>(() => newDraftState(workflow, copy !== null));
  const autosave = createAutosave<Drawing>(
    {
      read: () => readDrawing(editor),
      send: (content, expectedRevision) => save(line, content, expectedRevision),
      classify: classifyFailure,
      keep: (content, revision) => writeLocalCopy(workflowId, { ...content, revision }),
      forget: () => removeLocalCopy(workflowId),
      onStatus: (status) => {
        draft.setState({ status });
        if (status.kind === "conflict") line.settling = settle(line);
      },
      now: Date.now,
    },
    copy?.revision ?? workflow.draft_revision,
  );
  const isBaseKnown = copy === null || copy.revision === workflow.draft_revision;
  const base = { saved: drawingOf(workflow), unanswered: [], isBaseKnown, settling: null };
  const line: DraftLine = { workflowId, editor, draft, autosave, ...base };
  return line;
}

/** Returns the copy if it has changes that the server does not have, or null. */
function unsavedCopy(workflow: WorkflowDetailObject, copy: LocalCopy | null): LocalCopy | null {
  if (copy === null || !isSameContent(copy, drawingOf(workflow))) return copy;
  removeLocalCopy(workflow.workflow_id);
  return null;
}

/** Returns the revision that contains the content. */
async function save(line: DraftLine, content: Drawing, expectedRevision: number): Promise<number> {
  const { saved } = line;
  // After an edit and its undo there is nothing to send.
  if (content.name === saved.name && isSameTracked(content, saved)) return expectedRevision;
  line.unanswered.push(content);
  const answer = await callOperation("save_draft", {
    workflow_id: line.workflowId,
    expected_revision: expectedRevision,
    ...(content.name === saved.name ? {} : { name: content.name }),
    ...(content.definition === saved.definition ? {} : { definition: content.definition }),
    ...(content.notes === saved.notes ? {} : { notes: [...content.notes] }),
    ...(content.orientation === saved.orientation ? {} : { orientation: content.orientation }),
  });
  line.unanswered = [];
  line.saved = content;
  line.isBaseKnown = true;
  line.draft.setState({ facts: factsOf(answer), checked: content.definition });
  return answer.draft_revision;
}

function classifyFailure(error: unknown): SaveFailure {
  if (!(error instanceof ClientError))
    return { kind: "failed", message: "Unexpected error. Retry, or reload the page." };
  if (error.code === "NETWORK") return { kind: "offline", message: error.message };
  if (error.code === "REVISION_CONFLICT") return { kind: "conflict", message: error.message };
  if (error.code === "UNAUTHORIZED") {
    return { kind: "failed", message: "You're signed out. Sign in from another tab; your changes are kept here." };
  }
  return { kind: "failed", message: error.message };
}
