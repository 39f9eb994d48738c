import { memo } from "react";
import { AddButton } from "@/components/canvas/editor/drawing/add-button";
import { useDrawing } from "@/components/canvas/editor/drawing/use-drawing";
import { portKey } from "@/components/canvas/layout/plan-frame";

const NONE: readonly never[] = [];

/** The add buttons on the lines of one branch. They are placed relative to the step that the branch belongs to. */
export const NodeAdds = memo(function NodeAdds({ nodeId, handle }: { nodeId: string; handle: string | null }) {
  const adds = useDrawing((drawing) => drawing.adds.get(portKey(nodeId, handle)) ?? NONE);
  return adds.map(({ edgeId, label, x, y }) => (
    <span key={edgeId} className="edge-add absolute flex -translate-1/2" style={{ left: x, top: y }}>
      <AddButton spot={{ kind: "edge", edgeId }} label={label} />
    </span>
  ));
});
