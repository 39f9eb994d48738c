import { EDGE_RADIUS } from "@/components/canvas/document/dimensions";
import { edgeGeometry } from "@/components/canvas/view/edge-geometry";
import { type EdgeProps, getSmoothStepPath } from "@/components/canvas/view/flow";

/** Returns the path of a line, and the positions of its label and button: the same for a draft and for a run. */
export function linePath(props: EdgeProps, hasLabel: boolean) {
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition } = props;
  const ends = { sourceX, sourceY, targetX, targetY };
  const geometry = edgeGeometry(ends, hasLabel);
  const [path] = getSmoothStepPath({
    ...ends,
    sourcePosition,
    targetPosition,
    borderRadius: EDGE_RADIUS,
    centerY: geometry.bendY,
  });
  return { path, geometry };
}
