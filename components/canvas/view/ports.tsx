import type { ReactNode } from "react";
import type { Branch } from "#lib/core/steps/define-step-kind";
import { Handle, Position } from "@/components/canvas/view/flow";

interface PortsProps {
  hasInput: boolean;
  outputs: readonly Branch[];
  /** False if lines can't be drawn: in a run, or for read-only users. */
  isConnectable: boolean;
  children: ReactNode;
}

/** A step's drawing, between its input port and its output ports. */
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
 * Returns the distance of the n-th of `count` output ports from the node's left edge: evenly spaced, with a single port
 * in the middle. In percent, so that a port is already in place when a growing frame is measured.
 */
export function outputLeft(index: number, count: number): string {
  return `${(100 * (index + 1)) / (count + 1)}%`;
}
