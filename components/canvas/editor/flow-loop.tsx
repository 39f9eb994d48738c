import { memo } from "react";
import { nodeLabel } from "#lib/graph/node-data";
import { NODE_KINDS } from "@/components/canvas/document/node-kinds";
import { AddButton } from "@/components/canvas/editor/add-button";
import { isSameNode } from "@/components/canvas/editor/is-same-node";
import { OpenOutput, outputLeft } from "@/components/canvas/editor/open-output";
import type { CanvasNode } from "@/components/canvas/editor/project-definition";
import { Handle, type NodeProps, Position } from "@/components/canvas/flow";
import { describeCard } from "@/components/canvas/view/card-model";
import { LoopFrame } from "@/components/canvas/view/loop-frame";

/** A loop's frame with its ports. What it holds are nodes of their own, drawn over it. */
export const FlowLoop = memo(function FlowLoop(props: NodeProps<CanvasNode>) {
  const { data, selected, dragging, isConnectable } = props;
  const { node, step, problems, outputs, openHandles, bodySize } = data;
  const name = nodeLabel(node);
  return (
    <>
      {NODE_KINDS[node.type].hasInput ? (
        <Handle type="target" position={Position.Top} isConnectableStart={false} isConnectable={isConnectable} />
      ) : null}
      <LoopFrame model={describeCard(node, step, problems)} isSelected={selected} isDragging={dragging}>
        {bodySize > 0 ? null : (
          <div className="card-detail flex h-full flex-col items-center justify-center gap-2 text-dense text-text-2">
            Repeats the steps that stand in here.
            {isConnectable ? (
              <AddButton spot={{ kind: "inside", loopId: node.id }} label={`Add a step inside ${name}`} />
            ) : null}
          </div>
        )}
      </LoopFrame>
      {outputs.map((output, index) => (
        <Handle
          key={output.handle ?? ""}
          type="source"
          position={Position.Bottom}
          id={output.handle}
          style={{ left: outputLeft(index, outputs.length) }}
          isConnectable={isConnectable}
          isConnectableEnd={false}
        />
      ))}
      {outputs.map((output, index) => {
        const isOpen = isConnectable && openHandles.includes(output.handle);
        const left = outputLeft(index, outputs.length);
        return isOpen ? (
          <OpenOutput key={output.handle ?? ""} nodeId={node.id} name={name} output={output} left={left} />
        ) : null;
      })}
    </>
  );
}, isSameNode);
