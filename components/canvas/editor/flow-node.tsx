import { memo } from "react";
import { nodeLabel } from "#lib/graph/node-data";
import { NODE_KINDS } from "@/components/canvas/document/node-kinds";
import { isSameNode } from "@/components/canvas/editor/is-same-node";
import { OpenOutput, outputLeft } from "@/components/canvas/editor/open-output";
import type { CanvasNode } from "@/components/canvas/editor/project-definition";
import { Handle, type NodeProps, Position } from "@/components/canvas/flow";
import { describeCard } from "@/components/canvas/view/card-model";
import { NodeCard } from "@/components/canvas/view/node-card";

/** A card with its ports. Everything it shows comes in by props, so that dragging one card re-renders one card. */
export const FlowNode = memo(function FlowNode({ data, selected, dragging, isConnectable }: NodeProps<CanvasNode>) {
  const { node, step, problems, outputs, openHandles } = data;
  return (
    <>
      {NODE_KINDS[node.type].hasInput ? (
        <Handle type="target" position={Position.Top} isConnectableStart={false} isConnectable={isConnectable} />
      ) : null}
      <NodeCard model={describeCard(node, step, problems)} isSelected={selected} isDragging={dragging} />
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
          <OpenOutput key={output.handle ?? ""} nodeId={node.id} name={nodeLabel(node)} output={output} left={left} />
        ) : null;
      })}
    </>
  );
}, isSameNode);
