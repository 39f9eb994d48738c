import { memo } from "react";
import { portsLength } from "@/components/canvas/lines/port-places";
import type { NodeProps } from "@/components/canvas/view/flow";
import { LoopFrame } from "@/components/canvas/view/loop-frame";
import { NodeCard } from "@/components/canvas/view/node-card";
import { Ports } from "@/components/canvas/view/ports";
import { ItemStepper } from "@/components/features/runs/graph/item-stepper";
import type { RunNode } from "@/components/features/runs/graph/project-run";

/** A step of a run as a card, with its status on the upper border. */
export const GraphCard = memo(function GraphCard({ data, selected }: NodeProps<RunNode>) {
  const { hasInput, outputs, orientation, model, light } = data;
  return (
    <Ports hasInput={hasInput} outputs={outputs} orientation={orientation} isConnectable={false}>
      <NodeCard model={model} isSelected={selected} light={light} minHeight={portsLength(outputs, orientation)} />
    </Ports>
  );
});

export const GraphLoop = memo(function GraphLoop({ data, selected }: NodeProps<RunNode>) {
  const { hasInput, outputs, orientation, model, light } = data;
  return (
    <Ports hasInput={hasInput} outputs={outputs} orientation={orientation} isConnectable={false}>
      <LoopFrame model={model} isSelected={selected} light={light}>
        {data.items === null ? null : <ItemStepper name={model.name} {...data.items} />}
      </LoopFrame>
    </Ports>
  );
});
