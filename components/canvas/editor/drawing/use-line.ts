import type { CanvasEdge } from "@/components/canvas/editor/drawing/project-definition";
import { useDrawing } from "@/components/canvas/editor/drawing/use-drawing";
import type { DrawnLine } from "@/components/canvas/layout/draw-lines";
import { redrawLine } from "@/components/canvas/layout/redraw-line";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import type { EdgeProps } from "@/components/canvas/view/flow";

/** Returns a line as it is drawn now. During a drag, only the lines of the moved cards are routed, one by one. */
export function useLine({ id, source, target }: EdgeProps<CanvasEdge>): DrawnLine | undefined {
  const editor = useEditorStore();
  const line = useDrawing((drawing) => drawing.lines.get(id));
  const from = useEditor((state) => state.dragOffsets[source]);
  const to = useEditor((state) => state.dragOffsets[target]);
  if (line === undefined || (from === undefined && to === undefined)) return line;
  return redrawLine(editor.getState(), id, line);
}
