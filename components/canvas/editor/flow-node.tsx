import { memo } from "react";
import { isSameNode } from "@/components/canvas/editor/is-same-node";
import { NodePorts } from "@/components/canvas/editor/node-ports";
import type { CanvasNode } from "@/components/canvas/editor/project-definition";
import type { NodeProps } from "@/components/canvas/flow";
import { useTests } from "@/components/canvas/store/draft-context";
import { describeCard } from "@/components/canvas/view/card-model";
import { NodeCard } from "@/components/canvas/view/node-card";

/**
 * A card with its ports. What it shows of the document comes in by props, so that dragging one card re-renders one card;
 * what it shows of a test it asks for by its id, so that one step's event does the same.
 */
export const FlowNode = memo(function FlowNode({ data, selected, dragging, isConnectable }: NodeProps<CanvasNode>) {
  const { node, step, problems } = data;
  const light = useTests((tests) => tests.lights[node.id]);
  const isPinned = useTests((tests) => node.id in tests.pins);
  return (
    <NodePorts data={data} isConnectable={isConnectable}>
      <NodeCard
        model={describeCard(node, step, problems)}
        isSelected={selected}
        isDragging={dragging}
        light={light ?? null}
        isPinned={isPinned}
      />
    </NodePorts>
  );
}, isSameNode);
