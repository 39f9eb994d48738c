import type { StoreApi } from "zustand/vanilla";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { drawingOf, isSameContent, saveCopy } from "@/components/canvas/store/draft-conflict";
import { createDraftLine, type DraftLine, type DraftOptions } from "@/components/canvas/store/draft-line";
import { type DraftState, factsOf } from "@/components/canvas/store/draft-state";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { adoptTheirs, askServer, baseOn, settleConflict, showTheirs } from "@/components/canvas/store/settle-conflict";
import { createTestStore, type TestStore } from "@/components/canvas/store/test-store";
import { draftWatcher } from "@/components/canvas/store/watch-draft";

/** An open workflow: the editor, the server's state, and the connection between them. */
export interface DraftSession {
  editor: EditorStore;
  draft: StoreApi<DraftState>;
  tests: TestStore;
  /** Saves now. Resolves with true once the server has all changes. */
  saveNow: () => Promise<boolean>;
  takeTheirs: () => Promise<void>;
  keepMine: () => Promise<void>;
  /**
   * Saves the user's own changes as another workflow and shows theirs here.
   * @returns the copy's id
   */
  copyMine: () => Promise<string>;
  /** Loads their draft again for a comparison. */
  readTheirs: () => Promise<WorkflowDetailObject>;
  /** Loads the server's state again, after publishing. */
  refresh: () => Promise<void>;
  /**
   * Shows another user's newer draft if there are no unsaved changes here.
   * @returns true if it was shown
   */
  adopt: (workflow: WorkflowDetailObject) => boolean;
  revision: () => number;
  /** Starts watching the editor and the page; returns a function that stops it. */
  connect: () => () => void;
}

export function openDraft(workflow: WorkflowDetailObject, options: DraftOptions): DraftSession {
  const line = createDraftLine(workflow, options, settleConflict);
  const { editor, draft, autosave } = line;
  return {
    editor,
    draft,
    tests: createTestStore(workflow.workflow_id),
    saveNow: async () => {
      if (await autosave.flush()) return true;
      await line.settling;
      return autosave.flush();
    },
    takeTheirs: async () => showTheirs(line, await askServer(line)),
    keepMine: async () => baseOn(line, await askServer(line), { isSaved: false }),
    copyMine: async () => {
      const copyId = await saveCopy(editor);
      showTheirs(line, await askServer(line));
      return copyId;
    },
    readTheirs: () => readTheirs(line),
    refresh: async () => {
      const workflow = await askServer(line);
      // Its definition has the same content as what was saved, but not the same objects.
      const isSame = isSameContent(drawingOf(workflow), line.saved);
      const checked = isSame ? line.saved.definition : workflow.definition;
      draft.setState({ facts: factsOf(workflow), checked });
    },
    adopt: (theirs) => adoptTheirs(line, theirs),
    revision: () => autosave.revision(),
    connect: draftWatcher(line),
  };
}

async function readTheirs(line: DraftLine): Promise<WorkflowDetailObject> {
  const theirs = await askServer(line);
  if (line.draft.getState().status.kind === "conflict") line.draft.setState({ conflict: { theirs } });
  return theirs;
}
