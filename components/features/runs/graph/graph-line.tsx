import { memo } from "react";
import { BranchLabel } from "@/components/canvas/view/branch-label";
import { BaseEdge, EdgeLabelRenderer, type EdgeProps } from "@/components/canvas/view/flow";
import { linePath } from "@/components/canvas/view/line-path";
import type { RunEdge } from "@/components/features/runs/graph/project-run";

/** See canvas.css. */
const LOOKS = { taken: "is-taken", running: "draft-line is-running", not_taken: "draft-line opacity-40" };

/** An edge of the version that ran: solid if the run took it, dashed if not. */
export const GraphLine = memo(function GraphLine(props: EdgeProps<RunEdge>) {
  const { id, data } = props;
  const { label = "", depth = 0, way = "not_taken" } = data ?? {};
  const { path, geometry } = linePath(props, label !== "");
  const { x, y } = geometry.label;
  return (
    <>
      <BaseEdge id={id} path={path} className={LOOKS[way]} />
      {label === "" ? null : (
        <EdgeLabelRenderer>
          <span
            className="absolute flex"
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)`, zIndex: depth }}
          >
            <BranchLabel depth={depth}>{label}</BranchLabel>
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
});
