import type { Branch } from "#lib/core/steps/define-step-kind";
import { OPEN_OUTPUT_DROP } from "@/components/canvas/document/dimensions";
import { AddButton } from "@/components/canvas/editor/drawing/add-button";

interface OpenOutputProps {
  nodeId: string;
  name: string;
  output: Branch;
  /** Distance from the node's left edge. */
  left: string;
}

/** A branch that is not connected yet: the start of a line, the branch label, and a button that adds a step. */
export function OpenOutput({ nodeId, name, output, left }: OpenOutputProps) {
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
