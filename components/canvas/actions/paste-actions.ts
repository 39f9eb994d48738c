import { LIMITS } from "#lib/contract/limits";
import { describeLongNumber } from "#lib/core/input/read-typed-json";
import { formatCount } from "#lib/support/format/format-number";
import { chord } from "@/components/canvas/actions/clipboard-actions";
import { NOTES_FULL, newNoteId } from "@/components/canvas/actions/note-actions";
import { readClip } from "@/components/canvas/document/clip/read-clip";
import type { Point } from "@/components/canvas/document/dimensions";
import { mergeInputFields, type Pasting, pasteNodes } from "@/components/canvas/layout/paste-nodes";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { toast } from "@/components/ui/toast";

/** @returns true when the text contains steps */
export function pasteText(editor: EditorStore, text: string, workspaceId: string, at: Point): boolean {
  const clip = readClip(text);
  const { definition, notes, sizes, orientation, edit, select, isReadOnly } = editor.getState();
  if (isReadOnly) return false;
  if (clip === null) return tellWhyNot(text);
  const noteCount = notes.length;
  const pasting = pasteNodes(clip, { definition, workspaceId, at, sizes, orientation, noteCount, newNoteId });
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

/** @returns true if the text would be steps but for a number in it */
function tellWhyNot(text: string): boolean {
  const problem = text.includes('"nodes"') ? describeLongNumber(text) : null;
  if (problem !== null) toast.message(`Nothing was pasted. ${problem}`);
  return problem !== null;
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

export async function pasteByMenu(editor: EditorStore, workspaceId: string, at: Point): Promise<void> {
  try {
    const text = await navigator.clipboard.readText();
    if (!pasteText(editor, text, workspaceId, at)) toast.message("The clipboard has no steps or notes.");
  } catch {
    toast.message(`The browser blocked access to the clipboard. Press ${chord("⌘V")} instead.`);
  }
}
