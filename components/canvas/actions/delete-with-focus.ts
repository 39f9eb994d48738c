import { deleteSelection } from "@/components/canvas/actions/canvas-actions";
import { neighbourOf } from "@/components/canvas/document/traverse";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import type { EditorStore } from "@/components/canvas/store/editor-store";

/** Deletes the selection. The focus moves to the step before it, or to the one after. */
export function deleteWithFocus(editor: EditorStore, controls: CanvasControls): void {
  const { definition, selectedNodeIds, isReadOnly } = editor.getState();
  const [nodeId] = selectedNodeIds;
  if (isReadOnly || nodeId === undefined) {
    deleteSelection(editor);
    return;
  }
  const heirs = [neighbourOf(definition, nodeId, "up"), neighbourOf(definition, nodeId, "down")];
  deleteSelection(editor);
  const left = new Set(editor.getState().definition.nodes.map(({ id }) => id));
  const heir = heirs.find((id) => id !== null && left.has(id));
  if (heir) controls.focusNode(heir);
}
