import type { CanvasNode } from "@/components/canvas/editor/drawing/project-definition";
import type { NodeProps } from "@/components/canvas/view/flow";

/**
 * Returns true when the props that a node renders are unchanged. Its position belongs to its wrapper, and it reads its
 * content by id.
 */
export function isSameNode(before: NodeProps<CanvasNode>, after: NodeProps<CanvasNode>): boolean {
  return (
    before.id === after.id &&
    before.selected === after.selected &&
    before.dragging === after.dragging &&
    before.isConnectable === after.isConnectable
  );
}
