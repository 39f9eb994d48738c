import { createStore, type StoreApi } from "zustand/vanilla";
import type { CanvasNote } from "#lib/contract/canvas-note";
import type { Definition } from "#lib/contract/graph";
import type { WorkflowDetailObject } from "#lib/contract/workflow";
import { canonicalJson } from "#lib/support/json";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import { NOBODY, type Presence } from "@/components/canvas/presence/who-is-here";
import { type Autosave, createAutosave, type SaveFailure, type SaveStatus } from "@/components/canvas/store/autosave";
import { createEditorStore, type EditorStore } from "@/components/canvas/store/editor-store";
import { readLocalCopy, removeLocalCopy, writeLocalCopy } from "@/components/canvas/store/local-copy";
import { createTestStore, type TestStore } from "@/components/canvas/testing/test-store";

/** What the server last said about the workflow, the drawing aside: that lives in the editor. */
export type WorkflowFacts = Omit<WorkflowDetailObject, "definition" | "notes">;

export interface DraftState {
  status: SaveStatus;
  facts: WorkflowFacts;
  /** True when the page opened with changes that only this browser had. */
  isRestored: boolean;
  /** Who else is there. */
  presence: Presence;
}

/** One open workflow: the editor, what the server knows, and the line between the two. */
export interface DraftSession {
  editor: EditorStore;
  draft: StoreApi<DraftState>;
  tests: TestStore;
  /** Saves now; true once the server has everything. */
  saveNow: () => Promise<boolean>;
  takeTheirs: () => Promise<void>;
  keepMine: () => Promise<void>;
  /** Asks the server anew, after publishing. */
  refresh: () => Promise<void>;
  /** Somebody else's newer draft, met without changes of one's own: it is shown. True when it was. */
  adopt: (workflow: WorkflowDetailObject) => boolean;
  revision: () => number;
  /** Starts watching the editor and the page; returns what stops it. */
  connect: () => () => void;
}

interface Content {
  name: string;
  definition: Definition;
  notes: readonly CanvasNote[];
}

export function openDraft(workflow: WorkflowDetailObject, isReadOnly: boolean): DraftSession {
  const workflowId = workflow.workflow_id;
  const copy = isReadOnly ? null : readLocalCopy(workflowId);
  const isRestored = copy !== null && !isSameContent(copy, contentOf(workflow));
  if (copy !== null && !isRestored) removeLocalCopy(workflowId);
  const { name, definition, notes } = isRestored ? copy : contentOf(workflow);
  const editor = createEditorStore({ definition, notes, name, isReadOnly, now: Date.now });
  const draft = createStore<DraftState>(() => ({
    status: { kind: "saved", at: Date.parse(workflow.updated_at) },
    facts: factsOf(workflow),
    isRestored,
    presence: NOBODY,
  }));
  /** What the server has, to send only what differs from it. */
  let saved = contentOf(workflow);
  let connections = 0;
  const hear = (answer: WorkflowDetailObject) => draft.setState({ facts: factsOf(answer) });

  const autosave = createAutosave<Content>(
    {
      read: () => readContent(editor),
      send: async (content, expectedRevision) => {
        // An edit and its undo leave nothing to send.
        const isSame = content.name === saved.name && content.definition === saved.definition;
        if (isSame && content.notes === saved.notes) return expectedRevision;
        const answer = await sendDraft(workflowId, content, saved, expectedRevision);
        saved = content;
        hear(answer);
        return answer.draft_revision;
      },
      classify: classifyFailure,
      keep: (content, revision) => writeLocalCopy(workflowId, { ...content, revision }),
      forget: () => removeLocalCopy(workflowId),
      onStatus: (status) => draft.setState({ status }),
      now: Date.now,
    },
    isRestored ? copy.revision : workflow.draft_revision,
  );

  /** An edit like any other, so that undo brings one's own work back. */
  function take(theirs: WorkflowDetailObject): void {
    saved = contentOf(theirs);
    editor.getState().edit(saved.definition, { notes: saved.notes });
    editor.getState().rename(theirs.name);
    hear(theirs);
    autosave.rebase(theirs.draft_revision, true);
  }

  async function keep(): Promise<void> {
    const theirs = await callOperation("get_workflow", { workflow_id: workflowId });
    saved = contentOf(theirs);
    hear(theirs);
    autosave.rebase(theirs.draft_revision, false);
  }

  return {
    editor,
    draft,
    tests: createTestStore(workflowId),
    saveNow: () => autosave.flush(),
    takeTheirs: async () => take(await callOperation("get_workflow", { workflow_id: workflowId })),
    keepMine: keep,
    refresh: async () => hear(await callOperation("get_workflow", { workflow_id: workflowId })),
    adopt: (theirs) => {
      const isNewer = theirs.draft_revision > autosave.revision();
      if (!isNewer || draft.getState().status.kind !== "saved") return false;
      take(theirs);
      return true;
    },
    revision: () => autosave.revision(),
    connect: () => {
      connections += 1;
      const stopWatching = watch(editor, autosave);
      if (isRestored && connections === 1) autosave.change();
      return () => {
        connections -= 1;
        stopWatching();
        autosave.keepLocally();
        // A left page must not go on retrying beside the next one; React's double mount in development comes back.
        void autosave.flush().finally(() => connections === 0 && autosave.stop());
      };
    },
  };
}

function contentOf({ name, definition, notes = [] }: WorkflowDetailObject): Content {
  return { name, definition, notes };
}

function readContent(editor: EditorStore): Content {
  const { name, definition, notes } = editor.getState();
  return { name, definition, notes };
}

function factsOf({ definition: _drawing, notes: _notes, ...facts }: WorkflowDetailObject): WorkflowFacts {
  return facts;
}

function isSameContent(a: Content, b: Content): boolean {
  return a.name === b.name && canonicalJson([a.definition, a.notes]) === canonicalJson([b.definition, b.notes]);
}

function sendDraft(
  workflowId: string,
  content: Content,
  saved: Content,
  expectedRevision: number,
): Promise<WorkflowDetailObject> {
  return callOperation("save_draft", {
    workflow_id: workflowId,
    expected_revision: expectedRevision,
    ...(content.name === saved.name ? {} : { name: content.name }),
    ...(content.definition === saved.definition ? {} : { definition: content.definition }),
    ...(content.notes === saved.notes ? {} : { notes: [...content.notes] }),
  });
}

function classifyFailure(error: unknown): SaveFailure {
  if (!(error instanceof ClientError)) return { kind: "failed", message: "Something went wrong in this page." };
  if (error.code === "NETWORK") return { kind: "offline", message: error.message };
  if (error.code === "REVISION_CONFLICT") return { kind: "conflict", message: error.message };
  if (error.code === "UNAUTHORIZED") {
    return { kind: "failed", message: "You are signed out. Sign in in another tab; the changes are kept here." };
  }
  return { kind: "failed", message: error.message };
}

function watch(editor: EditorStore, autosave: Autosave): () => void {
  const stopEditor = editor.subscribe((state, before) => {
    const isSame = state.definition === before.definition && state.notes === before.notes;
    if (!isSame || state.name !== before.name) autosave.change();
  });
  const flush = () => void autosave.flush();
  const hide = () => {
    autosave.keepLocally();
    flush();
  };
  const onVisibility = () => document.visibilityState === "hidden" && hide();
  window.addEventListener("blur", flush);
  window.addEventListener("online", flush);
  window.addEventListener("pagehide", hide);
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    stopEditor();
    window.removeEventListener("blur", flush);
    window.removeEventListener("online", flush);
    window.removeEventListener("pagehide", hide);
    document.removeEventListener("visibilitychange", onVisibility);
  };
}
