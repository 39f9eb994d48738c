import { clsx } from "clsx";
import type { DrawnLine } from "@/components/canvas/layout/draw-lines";
import { pathLength, roundedPath } from "@/components/canvas/lines/rounded-path";
import { BranchLabel } from "@/components/canvas/view/branch-label";
import { BaseEdge, EdgeLabelRenderer } from "@/components/canvas/view/flow";

interface LineViewProps {
  id: string;
  line: DrawnLine;
  /** The number of loops around the line. */
  depth: number;
  isFailure: boolean;
  className: string;
  /** How far from the line a pointer still reaches it. */
  interactionWidth?: number;
}

/** A line with the label of its branch, the same for a draft and for a run. */
export function LineView({ id, line, depth, isFailure, className, interactionWidth = 0 }: LineViewProps) {
  const { points, label } = line;
  return (
    <>
      <BaseEdge
        id={id}
        path={roundedPath(points)}
        style={{ strokeDashoffset: dashStart(line) }}
        interactionWidth={interactionWidth}
        className={clsx(className, isFailure && "is-failure")}
      />
      {label === null ? null : (
        <EdgeLabelRenderer>
          <span
            className={clsx(
              "absolute flex",
              label.isUpright ? "items-start" : "items-center",
              label.isCentered && "justify-center",
            )}
            style={{
              transform: `translate(${label.x}px, ${label.y}px)`,
              width: label.width,
              height: label.height,
              zIndex: depth,
            }}
          >
            <BranchLabel size={label} isUpright={label.isUpright} depth={depth} isFailure={isFailure}>
              {label.text}
            </BranchLabel>
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

/** A dash and the gap after it; see canvas.css. */
const DASH_PERIOD = 8;

/** Lines that join have their dashes counted from their common end, because dashes out of step look like a solid line. */
function dashStart({ points, isJoined }: DrawnLine): number {
  const start = isJoined ? DASH_PERIOD - (pathLength(points) % DASH_PERIOD) : 0;
  return Math.round(start * 100) / 100;
}
