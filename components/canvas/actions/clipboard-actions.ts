import { LIMITS } from "#lib/contract/limits";
import { formatCount } from "#lib/support/format/format-number";
import { deleteSelection } from "@/components/canvas/actions/canvas-actions";
import { NOTES_FULL, newNoteId } from "@/components/canvas/actions/note-actions";
import type { Point } from "@/components/canvas/document/dimensions";
import { readClip, writeClip } from "@/components/canvas/document/step-clip";
import { mergeInputFields, type Pasting, pasteNodes } from "@/components/canvas/layout/paste-nodes";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { hasCommandKey, keyWords } from "@/components/ui/forms/key-words";
import { toast } from "@/components/ui/toast";

/** Returns the selected steps and notes as text for the clipboard, or null without a selection. */
export function copySelection(editor: EditorStore, workspaceId: string): string | null {
  const { definition, notes, selectedNodeIds, selectedNoteIds } = editor.getState();
  if (selectedNodeIds.length + selectedNoteIds.length === 0) return null;
  const selected = notes.filter(({ id }) => selectedNoteIds.includes(id));
  return writeClip(definition, selectedNodeIds, workspaceId, selected);
}

/** @returns true when the text contains steps */
export function pasteText(editor: EditorStore, text: string, workspaceId: string, at: Point): boolean {
  const clip = readClip(text);
  const { definition, notes, sizes, edit, select, isReadOnly } = editor.getState();
  if (clip === null || isReadOnly) return false;
  const noteCount = notes.length;
  const pasting = pasteNodes(clip, { definition, workspaceId, at, sizes, noteCount, newNoteId });
  if (pasting === null) {
    toast.message(`A workflow can have up to ${formatCount(LIMITS.graphNodes, "step")}.`);
    return true;
  }
  edit(pasting.definition, pasting.notes.length === 0 ? {} : { notes: [...notes, ...pasting.notes] });
  if (pasting.nodeIds.length + pasting.notes.length > 0) {
    select(
      pasting.nodeIds,
      [],
      pasting.notes.map(({ id }) => id),
    );
  }
  if (pasting.notes.length < clip.notes.length) toast.message(NOTES_FULL);
  tellWhatIsMissing(editor, pasting);
  return true;
}

function tellWhatIsMissing(editor: EditorStore, { leftOut, cutConnections }: Pasting): void {
  if (cutConnections > 0) {
    toast.message("Connections aren't copied between workspaces. Choose one for the pasted steps.");
  }
  if (leftOut === null) return;
  const { definition, edit } = editor.getState();
  const merged = mergeInputFields(definition, leftOut);
  if (merged === definition) toast.message("This workflow already has a start step, so the copied one wasn't pasted.");
  else {
    toast.message("This workflow already has an Action Input, so the copied one wasn't pasted.", {
      action: {
        label: "Add the copied fields",
        onClick: () => edit(mergeInputFields(editor.getState().definition, leftOut)),
      },
    });
  }
}

/** Copies or cuts from a menu, where the browser fires no clipboard event. */
export async function copyByMenu(editor: EditorStore, workspaceId: string, isCut: boolean): Promise<void> {
  const text = copySelection(editor, workspaceId);
  if (text === null) return;
  try {
    await navigator.clipboard.writeText(text);
    if (isCut) deleteSelection(editor);
  } catch {
    toast.message(`The browser blocked access to the clipboard. Press ${chord(isCut ? "⌘X" : "⌘C")} instead.`);
  }
}

export async function pasteByMenu(editor: EditorStore, workspaceId: string, at: Point): Promise<void> {
  try {
    const text = await navigator.clipboard.readText();
    if (!pasteText(editor, text, workspaceId, at)) toast.message("The clipboard has no steps or notes.");
  } catch {
    toast.message(`The browser blocked access to the clipboard. Press ${chord("⌘V")} instead.`);
  }
}

function chord(keys: string): string {
  return keyWords(keys, hasCommandKey());
}
