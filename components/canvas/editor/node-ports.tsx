import type { ReactNode } from "react";
import { nodeLabel } from "#lib/graph/node-data";
import { NODE_KINDS } from "@/components/canvas/document/node-kinds";
import { OpenOutput, outputLeft } from "@/components/canvas/editor/open-output";
import type { CanvasNode } from "@/components/canvas/editor/project-definition";
import { Handle, Position } from "@/components/canvas/flow";

interface NodePortsProps {
  data: CanvasNode["data"];
  isConnectable: boolean;
  children: ReactNode;
}

/** What a step is drawn as, between the port that lines lead to and those that lines leave from. */
export function NodePorts({ data, isConnectable, children }: NodePortsProps) {
  const { node, outputs, openHandles } = data;
  return (
    <>
      {NODE_KINDS[node.type].hasInput ? (
        <Handle type="target" position={Position.Top} isConnectableStart={false} isConnectable={isConnectable} />
      ) : null}
      {children}
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
}
