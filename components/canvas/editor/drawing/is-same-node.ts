import type { CanvasNode } from "@/components/canvas/editor/drawing/project-definition";
import type { NodeProps } from "@/components/canvas/view/flow";

/** Whether a node looks as before. Where it stands is its wrapper's, and what it says it asks for by its id. */
export function isSameNode(before: NodeProps<CanvasNode>, after: NodeProps<CanvasNode>): boolean {
  return (
    before.id === after.id &&
    before.selected === after.selected &&
    before.dragging === after.dragging &&
    before.isConnectable === after.isConnectable
  );
}
