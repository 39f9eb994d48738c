import { memo } from "react";
import type { EdgeProps } from "@/components/canvas/view/flow";
import { LineView } from "@/components/canvas/view/line-view";
import type { RunEdge } from "@/components/features/runs/graph/project-run";

/** See canvas.css. */
const LOOKS = { taken: "is-taken", running: "draft-line is-running", not_taken: "draft-line opacity-40" };

/** An edge of the version that ran: solid if the run took it, dashed if not. */
export const GraphLine = memo(function GraphLine({ id, data }: EdgeProps<RunEdge>) {
  if (data?.line === undefined) return null;
  const { line, isFailure, depth, way } = data;
  return <LineView id={id} line={line} depth={depth} isFailure={isFailure} className={LOOKS[way]} />;
});
