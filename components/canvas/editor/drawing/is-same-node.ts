import type { CanvasNode } from "@/components/canvas/editor/drawing/project-definition";
import type { NodeProps } from "@/components/canvas/view/flow";

/** True when a node looks as before. Its position belongs to its wrapper, and its content is asked for by its id. */
export function isSameNode(before: NodeProps<CanvasNode>, after: NodeProps<CanvasNode>): boolean {
  return (
    before.id === after.id &&
    before.selected === after.selected &&
    before.dragging === after.dragging &&
    before.isConnectable === after.isConnectable
  );
}
