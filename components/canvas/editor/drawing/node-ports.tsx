import type { ReactNode } from "react";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import type { CardContent } from "@/components/canvas/editor/drawing/card-contents";
import { OpenOutput } from "@/components/canvas/editor/drawing/open-output";
import { outputLeft, Ports } from "@/components/canvas/view/ports";

interface NodePortsProps {
  content: CardContent;
  isConnectable: boolean;
  children: ReactNode;
}

/** A step with its ports, and an add button for each branch that is not connected yet. */
export function NodePorts({ content, isConnectable, children }: NodePortsProps) {
  const { node, outputs, openHandles } = content;
  return (
    <>
      <Ports hasInput={STEP_KINDS[node.type].hasInput} outputs={outputs} isConnectable={isConnectable}>
        {children}
      </Ports>
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
