import type { ReactNode } from "react";
import type { Branch } from "#lib/core/steps/define-step-kind";
import { Handle, Position } from "@/components/canvas/view/flow";

interface PortsProps {
  hasInput: boolean;
  outputs: readonly Branch[];
  /** False where nothing can be drawn: in a run, or for those who only read. */
  isConnectable: boolean;
  children: ReactNode;
}

/** What a step is drawn as, between the port that lines lead to and those that lines leave from. */
export function Ports({ hasInput, outputs, isConnectable, children }: PortsProps) {
  return (
    <>
      {hasInput ? (
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
    </>
  );
}

/**
 * How far from a node's left edge its n-th of `count` output ports stands: evenly spread, one in the middle. In per cent, so
 * that a port is in its place at the moment when a growing frame is measured.
 */
export function outputLeft(index: number, count: number): string {
  return `${(100 * (index + 1)) / (count + 1)}%`;
}
