import { memo, type ReactNode } from "react";
import { outputLeft } from "@/components/canvas/editor/open-output";
import { Handle, type NodeProps, Position } from "@/components/canvas/flow";
import { LoopFrame } from "@/components/canvas/view/loop-frame";
import { NodeCard } from "@/components/canvas/view/node-card";
import type { RunNode } from "@/components/runs/project-run";

/** A step of a run as a card, with what became of it at its foot. */
export const GraphCard = memo(function GraphCard({ data, selected }: NodeProps<RunNode>) {
  return (
    <Ports data={data}>
      <NodeCard model={data.model} isSelected={selected} light={data.light} />
    </Ports>
  );
});

export const GraphLoop = memo(function GraphLoop({ data, selected }: NodeProps<RunNode>) {
  return (
    <Ports data={data}>
      <LoopFrame model={data.model} isSelected={selected} light={data.light} />
    </Ports>
  );
});

/** Where lines begin and end; nothing can be drawn from them. */
function Ports({ data: { hasInput, outputs }, children }: { data: RunNode["data"]; children: ReactNode }) {
  return (
    <>
      {hasInput ? <Handle type="target" position={Position.Top} isConnectable={false} /> : null}
      {children}
      {outputs.map((output, index) => (
        <Handle
          key={output.handle ?? ""}
          type="source"
          position={Position.Bottom}
          id={output.handle}
          style={{ left: outputLeft(index, outputs.length) }}
          isConnectable={false}
        />
      ))}
    </>
  );
}
