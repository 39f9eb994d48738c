import { createStore, type StoreApi } from "zustand/vanilla";
import type { WorkflowDetailObject } from "#lib/contract/workflow";
import { callOperation } from "@/components/api/call-operation";
import { ClientError } from "@/components/api/client-error";
import type { Drawing } from "@/components/canvas/document/merge-drawings";
import { type Autosave, createAutosave, type SaveFailure, type SaveStatus } from "@/components/canvas/store/autosave";
import {
  type Conflict,
  drawingOf,
  isSameContent,
  mergeInto,
  readDrawing,
  saveCopy,
} from "@/components/canvas/store/draft-conflict";
import { createEditorStore, type EditorStore } from "@/components/canvas/store/editor-store";
import { readLocalCopy, removeLocalCopy, writeLocalCopy } from "@/components/canvas/store/local-copy";
import { createTestStore, type TestStore } from "@/components/canvas/store/test-store";
import { NOBODY, type Presence } from "@/components/canvas/store/who-is-here";

/** What the server last said about the workflow, the drawing aside: that lives in the editor. */
export type WorkflowFacts = Omit<WorkflowDetailObject, "definition" | "notes">;

export interface DraftState {
  status: SaveStatus;
  facts: WorkflowFacts;
  /** True when the page opened with changes that only this browser had. */
  isRestored: boolean;
  /** Somebody else saved first, and both changed the same: a person has to choose. */
  conflict: Conflict | null;
  /** How often the work of others came together with one's own by itself. */
  merges: number;
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
  /** Saves one's own work as another workflow and takes theirs here. @returns the copy's id */
  copyMine: () => Promise<string>;
  /** Reads theirs anew, to be compared. */
  readTheirs: () => Promise<WorkflowDetailObject>;
  /** Asks the server anew, after publishing. */
  refresh: () => Promise<void>;
  /** Somebody else's newer draft, met without changes of one's own: it is shown. True when it was. */
  adopt: (workflow: WorkflowDetailObject) => boolean;
  revision: () => number;
  /** Starts watching the editor and the page; returns what stops it. */
  connect: () => () => void;
}

export function openDraft(workflow: WorkflowDetailObject, isReadOnly: boolean): DraftSession {
  const workflowId = workflow.workflow_id;
  const copy = isReadOnly ? null : readLocalCopy(workflowId);
  const isRestored = copy !== null && !isSameContent(copy, drawingOf(workflow));
  if (copy !== null && !isRestored) removeLocalCopy(workflowId);
  const { name, definition, notes } = isRestored ? copy : drawingOf(workflow);
  const editor = createEditorStore({ definition, notes, name, isReadOnly, now: Date.now });
  const draft = createStore<DraftState>(() => ({
    status: { kind: "saved", at: Date.parse(workflow.updated_at) },
    facts: factsOf(workflow),
    isRestored,
    conflict: null,
    merges: 0,
    presence: NOBODY,
  }));
  /** What the server has, to send only what differs from it. */
  let saved = drawingOf(workflow);
  /** What was sent since, and may be there although no answer came. */
  let unanswered: Drawing[] = [];
  /** False while what is in the editor was made from a revision that nobody has any more. */
  let isBaseKnown = !isRestored || copy.revision === workflow.draft_revision;
  let settling: Promise<void> | null = null;
  let connections = 0;
  const hear = (answer: WorkflowDetailObject) => draft.setState({ facts: factsOf(answer) });

  const autosave = createAutosave<Drawing>(
    {
      read: () => readDrawing(editor),
      send: async (content, expectedRevision) => {
        // An edit and its undo leave nothing to send.
        const isSame = content.name === saved.name && content.definition === saved.definition;
        if (isSame && content.notes === saved.notes) return expectedRevision;
        unanswered.push(content);
        const answer = await sendDraft(workflowId, content, saved, expectedRevision);
        unanswered = [];
        saved = content;
        isBaseKnown = true;
        hear(answer);
        return answer.draft_revision;
      },
      classify: classifyFailure,
      keep: (content, revision) => writeLocalCopy(workflowId, { ...content, revision }),
      forget: () => removeLocalCopy(workflowId),
      onStatus: (status) => {
        draft.setState({ status });
        if (status.kind === "conflict") settling = settle();
      },
      now: Date.now,
    },
    isRestored ? copy.revision : workflow.draft_revision,
  );

  const ask = () => callOperation("get_workflow", { workflow_id: workflowId });
  const readTheirs = async () => {
    const theirs = await ask();
    if (draft.getState().status.kind === "conflict") draft.setState({ conflict: { theirs } });
    return theirs;
  };

  /** What meets none of one's own work comes in by itself; else the bar asks. */
  async function settle(): Promise<void> {
    const theirs = await ask().catch(() => null);
    if (draft.getState().status.kind !== "conflict") return;
    const own = theirs === null ? undefined : findOwn(drawingOf(theirs));
    if (theirs !== null && own !== undefined) {
      standOn(theirs, false, own);
      return;
    }
    if (theirs === null || !isBaseKnown || !mergeInto(editor, saved, drawingOf(theirs))) {
      draft.setState({ conflict: { theirs } });
      return;
    }
    draft.setState({ merges: draft.getState().merges + 1 });
    standOn(theirs, false);
  }

  /** A save whose answer was lost is nobody else's work, nor is what one began with. */
  function findOwn(theirs: Drawing): Drawing | undefined {
    const own = isBaseKnown ? [saved, ...unanswered] : unanswered;
    return own.find((drawing) => isSameContent(drawing, theirs));
  }

  function standOn(theirs: WorkflowDetailObject, isSaved: boolean, drawing = drawingOf(theirs)): void {
    saved = drawing;
    unanswered = [];
    isBaseKnown = true;
    draft.setState({ conflict: null, facts: factsOf(theirs) });
    autosave.rebase(theirs.draft_revision, isSaved);
  }

  /** An edit like any other, so that undo brings one's own work back. */
  function take(theirs: WorkflowDetailObject): void {
    const drawing = drawingOf(theirs);
    editor.getState().edit(drawing.definition, { notes: drawing.notes });
    editor.getState().rename(drawing.name);
    standOn(theirs, true);
  }

  return {
    editor,
    draft,
    tests: createTestStore(workflowId),
    saveNow: async () => {
      if (await autosave.flush()) return true;
      await settling;
      return autosave.flush();
    },
    takeTheirs: async () => take(await ask()),
    keepMine: async () => standOn(await ask(), false),
    copyMine: async () => {
      const copyId = await saveCopy(editor);
      take(await ask());
      return copyId;
    },
    readTheirs,
    refresh: async () => hear(await ask()),
    adopt: (theirs) => {
      const isNewer = theirs.draft_revision > autosave.revision();
      if (!isNewer || draft.getState().status.kind !== "saved") return false;
      if (mergeInto(editor, saved, drawingOf(theirs))) standOn(theirs, true);
      else take(theirs);
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

function factsOf({ definition: _drawing, notes: _notes, ...facts }: WorkflowDetailObject): WorkflowFacts {
  return facts;
}

function sendDraft(
  workflowId: string,
  content: Drawing,
  saved: Drawing,
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
