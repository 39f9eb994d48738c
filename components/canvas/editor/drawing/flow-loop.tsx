import { memo } from "react";
import { nodeLabel } from "#lib/core/steps/node-data";
import { AddButton } from "@/components/canvas/editor/drawing/add-button";
import { isSameNode } from "@/components/canvas/editor/drawing/is-same-node";
import { NodePorts } from "@/components/canvas/editor/drawing/node-ports";
import type { CanvasNode } from "@/components/canvas/editor/drawing/project-definition";
import { useDrawing } from "@/components/canvas/editor/drawing/use-drawing";
import { useTests } from "@/components/canvas/store/draft-context";
import { describeCard } from "@/components/canvas/view/card-model";
import type { NodeProps } from "@/components/canvas/view/flow";
import { LoopFrame } from "@/components/canvas/view/loop-frame";

/** A loop's frame with its ports. The steps inside are separate nodes, drawn over it. */
export const FlowLoop = memo(function FlowLoop(props: NodeProps<CanvasNode>) {
  const { id, selected, dragging, isConnectable } = props;
  const content = useDrawing(({ cards }) => cards.get(id)?.content);
  const light = useTests((tests) => tests.lights[id]);
  const isPinned = useTests((tests) => id in tests.pins);
  if (content === undefined) return null;
  const { node, step, problems, bodySize } = content;
  const name = nodeLabel(node);
  return (
    <NodePorts content={content} isConnectable={isConnectable}>
      <LoopFrame
        model={describeCard(node, step, problems)}
        isSelected={selected}
        isDragging={dragging}
        light={light ?? null}
        isPinned={isPinned}
      >
        {bodySize > 0 ? null : (
          <div className="card-detail flex h-full flex-col items-center justify-center gap-2 text-dense text-text-2">
            Repeats the steps inside it.
            {isConnectable ? (
              <AddButton spot={{ kind: "inside", loopId: node.id }} label={`Add a step inside ${name}`} />
            ) : null}
          </div>
        )}
      </LoopFrame>
    </NodePorts>
  );
}, isSameNode);
