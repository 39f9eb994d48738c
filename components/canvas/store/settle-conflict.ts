import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { callOperation } from "@/components/api/call-operation";
import type { Drawing } from "@/components/canvas/document/merge-drawings";
import { drawingOf, isSameContent, mergeInto } from "@/components/canvas/store/draft-conflict";
import type { DraftLine } from "@/components/canvas/store/draft-line";
import { factsOf } from "@/components/canvas/store/draft-state";

/** Loads the current draft from the server. */
export function askServer({ workflowId }: DraftLine): Promise<WorkflowDetailObject> {
  return callOperation("get_workflow", { workflow_id: workflowId });
}

/** Merges their draft if it changed other parts than the user did; otherwise shows the conflict bar. */
export async function settleConflict(line: DraftLine): Promise<void> {
  const { draft, editor } = line;
  const theirs = await askServer(line).catch(() => null);
  if (draft.getState().status.kind !== "conflict") return;
  const own = theirs === null ? undefined : findOwn(line, drawingOf(theirs));
  if (theirs !== null && own !== undefined) {
    baseOn(line, theirs, { isSaved: false, drawing: own });
    return;
  }
  if (theirs === null || !line.isBaseKnown || !mergeInto(editor, line.saved, drawingOf(theirs))) {
    draft.setState({ conflict: { theirs } });
    return;
  }
  draft.setState({ merges: draft.getState().merges + 1 });
  baseOn(line, theirs, { isSaved: false });
}

/** A save whose response was lost, and the draft that the page opened with, are the user's own work. */
function findOwn({ saved, unanswered, isBaseKnown }: DraftLine, theirs: Drawing): Drawing | undefined {
  const own = isBaseKnown ? [saved, ...unanswered] : unanswered;
  return own.find((drawing) => isSameContent(drawing, theirs));
}

/** From now on, the editor's content is based on their revision. */
export function baseOn(
  line: DraftLine,
  theirs: WorkflowDetailObject,
  { isSaved, drawing = drawingOf(theirs) }: { isSaved: boolean; drawing?: Drawing },
): void {
  line.saved = drawing;
  line.unanswered = [];
  line.isBaseKnown = true;
  line.draft.setState({ conflict: null, facts: factsOf(theirs), checked: drawing.definition });
  line.autosave.rebase(theirs.draft_revision, isSaved);
}

/** Shows their draft as a normal edit, so that undo restores the user's own work. */
export function showTheirs(line: DraftLine, theirs: WorkflowDetailObject): void {
  const { definition, notes, orientation, name } = drawingOf(theirs);
  line.editor.getState().edit(definition, { notes, orientation });
  line.editor.getState().rename(name);
  baseOn(line, theirs, { isSaved: true });
}

/**
 * Shows a newer draft while the user has no unsaved changes. Returns false when it is not newer or there are unsaved
 * changes.
 */
export function adoptTheirs(line: DraftLine, theirs: WorkflowDetailObject): boolean {
  const isNewer = theirs.draft_revision > line.autosave.revision();
  if (!isNewer || line.draft.getState().status.kind !== "saved") return false;
  if (mergeInto(line.editor, line.saved, drawingOf(theirs))) baseOn(line, theirs, { isSaved: true });
  else showTheirs(line, theirs);
  return true;
}
