import { type RefObject, useEffect } from "react";
import type { Point } from "@/components/canvas/dimensions";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import type { EditorState } from "@/components/canvas/store/editor-store";

/**
 * Moves what is dragged, past React and React Flow, which would look at every node and line of the drawing for each frame.
 * They hear of it when it is let go of: until then cards stand where the document has them, shifted on the screen, and the
 * lines that hang on them follow by themselves (`FlowEdge`).
 */
export function useDragLayer(box: RefObject<HTMLElement | null>): void {
  const editor = useEditorStore();
  useEffect(() => {
    const shifted = new Map<string, HTMLElement>();
    return editor.subscribe(({ dragOffsets }, before) => {
      if (dragOffsets !== before.dragOffsets) shiftTo(dragOffsets, shifted, box.current);
    });
  }, [editor, box]);
}

/** The frame that React Flow draws around several nodes chosen at once: it moves as they do. */
const SELECTION = "";

function shiftTo(
  offsets: EditorState["dragOffsets"],
  shifted: Map<string, HTMLElement>,
  box: HTMLElement | null,
): void {
  const [first] = Object.values(offsets);
  box?.toggleAttribute("data-dragging", first !== undefined);
  const wanted = new Map<string, Point>(Object.entries(offsets));
  if (first !== undefined) wanted.set(SELECTION, first);
  for (const [id, { x, y }] of wanted) {
    const element = shifted.get(id) ?? findElement(box, id);
    if (element === null) continue;
    element.style.translate = `${x}px ${y}px`;
    shifted.set(id, element);
  }
  for (const [id, element] of shifted) {
    if (wanted.has(id)) continue;
    element.style.translate = "";
    shifted.delete(id);
  }
}

function findElement(box: HTMLElement | null, id: string): HTMLElement | null {
  const selector =
    id === SELECTION ? ".react-flow__nodesselection-rect" : `.react-flow__node[data-id="${CSS.escape(id)}"]`;
  return box?.querySelector<HTMLElement>(selector) ?? null;
}
