import type { CanvasEditor } from "@/components/canvas/store/editor-store";
import { fullNodeId } from "@/components/canvas/store/panel-slice";

/** What the canvas shows of the selection, and with it what Escape leaves. */
export type CanvasState =
  | { kind: "idle" }
  /** Steps, edges, or notes are selected, and no panel is open. */
  | { kind: "selected" }
  /** A step is open in the panel next to the drawing. */
  | { kind: "panel"; nodeId: string }
  /** A step is open in its workspace over the drawing. */
  | { kind: "workspace"; nodeId: string }
  /** Each tap adds to the selection or removes from it. */
  | { kind: "choosing" };

/**
 * Names the state of the canvas. It follows from fields of two slices, which cards and panels read one by one: a single field
 * would draw all of them for each change.
 */
export function canvasState(editor: CanvasEditor): CanvasState {
  const { isChoosing, isPanelOpen, selectedNodeIds, selectedEdgeIds, selectedNoteIds } = editor;
  const [nodeId] = selectedNodeIds;
  if (isChoosing) return { kind: "choosing" };
  if (isPanelOpen && nodeId !== undefined) {
    return { kind: fullNodeId(editor) === null ? "panel" : "workspace", nodeId };
  }
  const count = selectedNodeIds.length + selectedEdgeIds.length + selectedNoteIds.length;
  return { kind: count === 0 ? "idle" : "selected" };
}
