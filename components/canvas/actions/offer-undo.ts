import type { EditorStore } from "@/components/canvas/store/editor-store";
import { toast } from "@/components/ui/toast";

const ID = "undo";

/**
 * Says what an edit did and offers to undo it. The offer ends with the next edit, because the button would then undo
 * that one.
 */
export function offerUndo(editor: EditorStore, text: string): void {
  const { definition, notes, undo } = editor.getState();
  const stopWatching = editor.subscribe((state) => {
    if (state.definition === definition && state.notes === notes) return;
    stopWatching();
    toast.dismiss(ID);
  });
  toast.message(text, { id: ID, action: { label: "Undo", onClick: undo }, onAutoClose: stopWatching });
}
