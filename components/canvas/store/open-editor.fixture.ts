import { branchingDefinition } from "@/components/canvas/document/test-definition";
import type { DocumentOptions } from "@/components/canvas/store/document-slice";
import { createEditorStore } from "@/components/canvas/store/editor-store";

/** Opens the editor of a drawing with branches, and counts its undo steps. */
export function openEditor(changes: Partial<DocumentOptions> = {}) {
  const options = { definition: branchingDefinition(), name: "Refunds", isReadOnly: false, now: () => 0, ...changes };
  const store = createEditorStore(options);
  return { store, editor: store.getState, undoSteps: () => store.temporal.getState().pastStates.length };
}
