import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { canonicalJson } from "#lib/support/json";
import { callOperation } from "@/components/api/call-operation";
import { type Drawing, mergeDrawings } from "@/components/canvas/document/merge-drawings";
import type { Tracked } from "@/components/canvas/store/document-slice";
import type { EditorStore } from "@/components/canvas/store/editor-store";

/** The draft that another user saved; null if it could not be read. */
export interface Conflict {
  theirs: WorkflowDetailObject | null;
}

export function drawingOf({ name, definition, notes = [], orientation = "vertical" }: WorkflowDetailObject): Drawing {
  return { name, definition, notes, orientation };
}

export function isSameContent(a: Drawing, b: Drawing): boolean {
  const isSame = a.name === b.name && a.orientation === b.orientation;
  return isSame && canonicalJson([a.definition, a.notes]) === canonicalJson([b.definition, b.notes]);
}

export function readDrawing(editor: EditorStore): Drawing {
  const { name, definition, notes, orientation } = editor.getState();
  return { name, definition, notes, orientation };
}

/**
 * Merges another user's changes into the editor when they don't conflict with the user's own, and always for a
 * read-only user. Undo keeps them.
 * @param base the draft that both changes are based on
 * @returns false when the user has to decide
 */
export function mergeInto(editor: EditorStore, base: Drawing, theirs: Drawing): boolean {
  const merged = mergeDrawings(base, readDrawing(editor), theirs);
  if (merged === null) return false;
  const absorb = ({ definition, notes, orientation }: Tracked): Tracked | null => {
    const { name } = base;
    const past = mergeDrawings(base, { name, definition, notes, orientation }, { ...theirs, name });
    return past === null ? null : { definition: past.definition, notes: past.notes, orientation: past.orientation };
  };
  editor.getState().absorb(absorb, merged.name);
  return true;
}

/**
 * Saves the user's own changes as another workflow.
 * @returns the new workflow's id
 */
export async function saveCopy(editor: EditorStore): Promise<string> {
  const { name, notes, ...drawn } = readDrawing(editor);
  const suffix = " (my copy)";
  const document = { name: `${name.slice(0, 200 - suffix.length)}${suffix}`, ...drawn, notes: [...notes] };
  const { workflow } = await callOperation("import_workflow", { document });
  return workflow.workflow_id;
}
