import type { CanvasNode } from "@/components/canvas/editor/project-definition";
import type { NodeProps } from "@/components/canvas/flow";

/** Whether a node looks as before. Where it stands is its wrapper's: a loop that is dragged moves its body without drawing it anew. */
export function isSameNode(before: NodeProps<CanvasNode>, after: NodeProps<CanvasNode>): boolean {
  return (
    before.data === after.data &&
    before.selected === after.selected &&
    before.dragging === after.dragging &&
    before.isConnectable === after.isConnectable
  );
}
