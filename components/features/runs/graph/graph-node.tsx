import { memo } from "react";
import type { NodeProps } from "@/components/canvas/view/flow";
import { LoopFrame } from "@/components/canvas/view/loop-frame";
import { NodeCard } from "@/components/canvas/view/node-card";
import { Ports } from "@/components/canvas/view/ports";
import { ItemStepper } from "@/components/features/runs/graph/item-stepper";
import type { RunNode } from "@/components/features/runs/graph/project-run";

/** A step of a run as a card, with its status at the bottom. */
export const GraphCard = memo(function GraphCard({ data, selected }: NodeProps<RunNode>) {
  const { hasInput, outputs, model, light } = data;
  return (
    <Ports hasInput={hasInput} outputs={outputs} isConnectable={false}>
      <NodeCard model={model} isSelected={selected} light={light} />
    </Ports>
  );
});

export const GraphLoop = memo(function GraphLoop({ data, selected }: NodeProps<RunNode>) {
  const { hasInput, outputs, model, light } = data;
  return (
    <Ports hasInput={hasInput} outputs={outputs} isConnectable={false}>
      <LoopFrame model={model} isSelected={selected} light={light}>
        {data.items === null ? null : <ItemStepper name={model.name} {...data.items} />}
      </LoopFrame>
    </Ports>
  );
});
