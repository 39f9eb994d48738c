import { memo } from "react";
import { nodeLabel } from "#lib/graph/node-data";
import { OPEN_OUTPUT_DROP, outputOffset } from "@/components/canvas/dimensions";
import { NODE_KINDS, type NodeOutput } from "@/components/canvas/document/node-kinds";
import { AddButton } from "@/components/canvas/editor/add-button";
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
          style={{ left: outputOffset(index, outputs.length) }}
          isConnectable={isConnectable}
          isConnectableEnd={false}
        />
      ))}
      {outputs.map((output, index) => {
        const isOpen = isConnectable && openHandles.includes(output.handle);
        const left = outputOffset(index, outputs.length);
        return isOpen ? (
          <OpenOutput key={output.handle ?? ""} nodeId={node.id} name={nodeLabel(node)} output={output} left={left} />
        ) : null;
      })}
    </>
  );
});

interface OpenOutputProps {
  nodeId: string;
  name: string;
  output: NodeOutput;
  /** From the card's left edge, in canvas pixels. */
  left: number;
}

/** A way out that leads nowhere yet: a stub of the line to come, its name, and a button to go on. */
function OpenOutput({ nodeId, name, output, left }: OpenOutputProps) {
  const way = output.label === "" ? "" : `, ${output.label}`;
  return (
    <div className="open-output absolute top-full flex flex-col items-center" style={{ left, width: 0 }}>
      <span
        aria-hidden
        className="mt-1 border-l-[1.6px] border-dashed border-border-strong"
        style={{ height: OPEN_OUTPUT_DROP - 14 }}
      />
      <AddButton
        spot={{ kind: "after", source: nodeId, sourceHandle: output.handle }}
        label={`Add a step after ${name}${way}`}
      />
      {output.label === "" ? null : (
        <span className="mt-0.5 text-micro font-medium whitespace-nowrap text-text-2">{output.label}</span>
      )}
    </div>
  );
}
