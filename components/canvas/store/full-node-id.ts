import type { EditorState } from "@/components/canvas/store/editor-store";

/** Returns the step that is open in its workspace, over the drawing; null if none is, or if it no longer exists. */
export function fullNodeId({ isFullSize, selectedNodeIds, definition }: EditorState): string | null {
  const [nodeId] = selectedNodeIds;
  return isFullSize && nodeId !== undefined && definition.nodes.some(({ id }) => id === nodeId) ? nodeId : null;
}
