import { clsx } from "clsx";
import { memo } from "react";
import type { Point } from "@/components/canvas/document/dimensions";
import { AddButton } from "@/components/canvas/editor/drawing/add-button";
import type { CanvasEdge } from "@/components/canvas/editor/drawing/project-definition";
import type { Lights } from "@/components/canvas/store/derive-lights";
import { useEditor, useTests } from "@/components/canvas/store/draft-context";
import { BranchLabel } from "@/components/canvas/view/branch-label";
import { BaseEdge, EdgeLabelRenderer, type EdgeProps } from "@/components/canvas/view/flow";
import { linePath } from "@/components/canvas/view/line-path";

/** A line of the draft: dashed until it is published, with its branch label and a button that inserts a step. */
export const FlowEdge = memo(function FlowEdge(props: EdgeProps<CanvasEdge>) {
  const { id, data, selected } = props;
  const label = data?.label ?? "";
  const way = useTests((tests) => wayOf(tests.lights, props));
  const from = useEditor((editor) => editor.dragOffsets[props.source]);
  const to = useEditor((editor) => editor.dragOffsets[props.target]);
  const { path, geometry } = linePath(shifted(props, from, to), label !== "");
  return (
    <>
      <BaseEdge id={id} path={path} interactionWidth={20} className={clsx(way, selected && "is-selected")} />
      <EdgeLabelRenderer>
        {label === "" ? null : (
          <span className="absolute flex" style={{ transform: centred(geometry.label), zIndex: data?.depth }}>
            <BranchLabel depth={data?.depth ?? 0}>{label}</BranchLabel>
          </span>
        )}
        {data?.addLabel == null ? null : (
          <span className="edge-add absolute flex" style={{ transform: centred(geometry.add), zIndex: data?.depth }}>
            <AddButton spot={{ kind: "edge", edgeId: id }} label={data.addLabel} />
          </span>
        )}
      </EdgeLabelRenderer>
    </>
  );
});

/** Returns the line with its ends at the cards' current positions during a drag. */
function shifted(line: EdgeProps<CanvasEdge>, from: Point | undefined, to: Point | undefined): EdgeProps<CanvasEdge> {
  if (from === undefined && to === undefined) return line;
  return {
    ...line,
    sourceX: line.sourceX + (from?.x ?? 0),
    sourceY: line.sourceY + (from?.y ?? 0),
    targetX: line.targetX + (to?.x ?? 0),
    targetY: line.targetY + (to?.y ?? 0),
  };
}

/** Returns a line's appearance in a test: taken, being taken, or like the draft if the run did not use it. */
function wayOf(lights: Lights, { source, target, sourceHandleId }: EdgeProps<CanvasEdge>): string {
  const from = lights[source];
  const to = lights[target];
  const isTaken =
    from?.status === "completed" &&
    to !== undefined &&
    to.status !== "skipped" &&
    to.status !== "not_reached" &&
    (sourceHandleId == null || from.taken === null || from.taken === sourceHandleId);
  if (!isTaken) return "draft-line";
  return to.status === "started" ? "draft-line is-running" : "is-taken";
}

function centred({ x, y }: { x: number; y: number }): string {
  return `translate(-50%, -50%) translate(${x}px, ${y}px)`;
}
