import { clsx } from "clsx";
import { memo } from "react";
import type { CanvasEdge } from "@/components/canvas/editor/drawing/project-definition";
import { useDrawing } from "@/components/canvas/editor/drawing/use-drawing";
import type { DrawnLine } from "@/components/canvas/layout/draw-lines";
import { redrawLine } from "@/components/canvas/layout/redraw-line";
import type { Lights } from "@/components/canvas/store/derive-lights";
import { useEditor, useEditorStore, useTests } from "@/components/canvas/store/draft-context";
import { mayTake } from "@/components/canvas/store/node-light";
import type { EdgeProps } from "@/components/canvas/view/flow";
import { LineView } from "@/components/canvas/view/line-view";

/** A line of the draft: dashed until it is published. */
export const FlowEdge = memo(function FlowEdge(props: EdgeProps<CanvasEdge>) {
  const { id, data, selected } = props;
  const way = useTests((tests) => wayOf(tests.lights, props));
  const line = useLine(props);
  if (line === undefined) return null;
  return (
    <LineView
      id={id}
      line={line}
      depth={data?.depth ?? 0}
      isFailure={data?.isFailure ?? false}
      className={clsx(way, selected && "is-selected")}
      interactionWidth={20}
    />
  );
});

/** Returns a line's appearance in a test: taken, being taken, or like the draft if the run did not use it. */
function wayOf(lights: Lights, { source, target, sourceHandleId }: EdgeProps<CanvasEdge>): string {
  const from = lights[source];
  const to = lights[target];
  const isTaken =
    (from?.status === "completed" || from?.status === "failed_continued") &&
    to !== undefined &&
    to.status !== "skipped" &&
    to.status !== "not_reached" &&
    mayTake(from, sourceHandleId);
  if (!isTaken) return "draft-line";
  return to.status === "started" ? "draft-line is-running" : "is-taken";
}

/** Returns a line as it is drawn now. During a drag, only the lines of the moved cards are routed, one by one. */
function useLine({ id, source, target }: EdgeProps<CanvasEdge>): DrawnLine | undefined {
  const editor = useEditorStore();
  const line = useDrawing((drawing) => drawing.lines.get(id));
  const from = useEditor((state) => state.dragOffsets[source]);
  const to = useEditor((state) => state.dragOffsets[target]);
  if (line === undefined || (from === undefined && to === undefined)) return line;
  return redrawLine(editor.getState(), id, line);
}
