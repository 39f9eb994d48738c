import { memo } from "react";
import { isSameNode } from "@/components/canvas/editor/drawing/is-same-node";
import { NodePorts } from "@/components/canvas/editor/drawing/node-ports";
import type { CanvasNode } from "@/components/canvas/editor/drawing/project-definition";
import { useDrawing } from "@/components/canvas/editor/drawing/use-drawing";
import { portsLength } from "@/components/canvas/lines/port-places";
import { useEditor, useTests } from "@/components/canvas/store/draft-context";
import { describeCard } from "@/components/canvas/view/card-model";
import type { NodeProps } from "@/components/canvas/view/flow";
import { NodeCard } from "@/components/canvas/view/node-card";

/** A card with its ports. It reads its content by id, so that a letter or one step's event renders only one card. */
export const FlowNode = memo(function FlowNode({ id, selected, dragging, isConnectable }: NodeProps<CanvasNode>) {
  const content = useDrawing(({ cards }) => cards.get(id)?.content);
  const light = useTests((tests) => tests.lights[id]);
  const isPinned = useTests((tests) => id in tests.pins);
  const orientation = useEditor((editor) => editor.orientation);
  // The step was deleted; React Flow removes the card in a moment.
  if (content === undefined) return null;
  const { node, step, problems, outputs } = content;
  return (
    <NodePorts content={content} isConnectable={isConnectable}>
      <NodeCard
        model={describeCard(node, step, problems)}
        isSelected={selected}
        isDragging={dragging}
        light={light ?? null}
        isPinned={isPinned}
        minHeight={portsLength(outputs, orientation)}
      />
    </NodePorts>
  );
}, isSameNode);
