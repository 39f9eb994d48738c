import { clsx } from "clsx";
import type { ReactNode } from "react";
import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { Branch } from "#lib/core/steps/define-step-kind";
import { portPlace, portStyle } from "@/components/canvas/lines/port-places";
import { Handle, Position } from "@/components/canvas/view/flow";

interface PortsProps {
  hasInput: boolean;
  outputs: readonly Branch[];
  /** False if lines can't be drawn: in a run, or for read-only users. */
  isConnectable: boolean;
  orientation?: Orientation;
  children: ReactNode;
}

/** A step's drawing, between its input port and its output ports. */
export function Ports({ hasInput, outputs, isConnectable, orientation = "vertical", children }: PortsProps) {
  const isVertical = orientation === "vertical";
  return (
    <>
      {hasInput ? (
        <Handle
          type="target"
          position={isVertical ? Position.Top : Position.Left}
          isConnectableStart={false}
          isConnectable={isConnectable}
        />
      ) : null}
      {children}
      {outputs.map((output, index) => {
        const place = portStyle(portPlace(outputs, index, orientation));
        return (
          <Handle
            key={output.handle ?? ""}
            type="source"
            position={isVertical ? Position.Bottom : Position.Right}
            id={output.handle}
            className={clsx(output.isFailure && "is-failure")}
            style={isVertical ? { left: place } : { top: place }}
            isConnectable={isConnectable}
            isConnectableEnd={false}
          />
        );
      })}
    </>
  );
}
