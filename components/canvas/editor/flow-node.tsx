import { memo } from "react";
import { isSameNode } from "@/components/canvas/editor/is-same-node";
import { NodePorts } from "@/components/canvas/editor/node-ports";
import type { CanvasNode } from "@/components/canvas/editor/project-definition";
import type { NodeProps } from "@/components/canvas/flow";
import { describeCard } from "@/components/canvas/view/card-model";
import { NodeCard } from "@/components/canvas/view/node-card";

/** A card with its ports. Everything it shows comes in by props, so that dragging one card re-renders one card. */
export const FlowNode = memo(function FlowNode({ data, selected, dragging, isConnectable }: NodeProps<CanvasNode>) {
  const { node, step, problems } = data;
  return (
    <NodePorts data={data} isConnectable={isConnectable}>
      <NodeCard model={describeCard(node, step, problems)} isSelected={selected} isDragging={dragging} />
    </NodePorts>
  );
}, isSameNode);
