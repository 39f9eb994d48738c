import { deleteSelection } from "@/components/canvas/actions/canvas-actions";
import { writeClip } from "@/components/canvas/document/clip/step-clip";
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

/** Returns a shortcut as the keys of this computer. */
export function chord(keys: string): string {
  return keyWords(keys, hasCommandKey());
}
