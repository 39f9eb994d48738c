import { type RefObject, useEffect } from "react";
import type { Point } from "@/components/canvas/document/dimensions";
import { isAnyGone } from "@/components/canvas/document/drag-offsets";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import { isDragging } from "@/components/canvas/store/drag-slice";
import type { CanvasEditor, EditorStore } from "@/components/canvas/store/editor-store";

/**
 * Moves dragged elements without React and React Flow, which would check every node and line of the drawing for each
 * frame. They are updated when the drag ends. Until then the cards keep their document position and are shifted on the
 * screen, and their lines follow by themselves (`FlowEdge`).
 */
export function useDragLayer(box: RefObject<HTMLElement | null>): void {
  const editor = useEditorStore();
  useEffect(() => {
    const shifted = new Map<string, HTMLElement>();
    return editor.subscribe(({ dragOffsets }, before) => {
      if (dragOffsets !== before.dragOffsets) shiftTo(dragOffsets, shifted, box.current);
    });
  }, [editor, box]);
  useEffect(() => endLostDrags(editor), [editor]);
}

const LETTING_GO = ["pointerup", "touchend", "touchcancel"] as const;

/** If the card under a finger is removed, touch events stop, and React Flow never notices the release. */
function endLostDrags(editor: EditorStore): () => void {
  const end = () => {
    if (isDragging(editor.getState())) editor.getState().drag({}, null);
  };
  const unsubscribe = editor.subscribe((state, before) => {
    const isSame = state.definition === before.definition && state.notes === before.notes;
    if (!isSame && isAnyGone(state, state.dragPositions)) end();
  });
  // Deferred by one frame, because listeners must drop the dragged elements first.
  const endSoon = () => requestAnimationFrame(end);
  for (const name of LETTING_GO) window.addEventListener(name, endSoon);
  return () => {
    unsubscribe();
    for (const name of LETTING_GO) window.removeEventListener(name, endSoon);
  };
}

/** The frame that React Flow draws around a multi-selection; it moves with the selected nodes. */
const SELECTION = "";

function shiftTo(
  offsets: CanvasEditor["dragOffsets"],
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
