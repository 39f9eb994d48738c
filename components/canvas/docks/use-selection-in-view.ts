import { type RefObject, useEffect } from "react";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import { isDragging } from "@/components/canvas/store/drag-slice";
import type { CanvasEditor } from "@/components/canvas/store/editor-store";
import { onToast } from "@/components/ui/toast";

/**
 * Keeps the selected step visible: when it is selected, moved or measured, when a dock opens or changes its size, and
 * when a bar, the minimap or a message appears over the drawing. A view that the user moves stays as it is.
 * @param area the element that contains the drawing and everything over it
 */
export function useSelectionInView(controls: RefObject<CanvasControls>, area: RefObject<HTMLElement | null>): void {
  const editor = useEditorStore();
  useEffect(() => {
    let frame: number | null = null;
    const show = () => {
      frame = null;
      const nodeId = selectedNode(editor.getState());
      // The new view can show something over the drawing, such as the minimap.
      if (nodeId !== null) controls.current.showNode(nodeId, showSoon);
    };
    // Two frames later, the pane has its new size.
    const showSoon = () => {
      frame ??= requestAnimationFrame(() => {
        frame = requestAnimationFrame(show);
      });
    };
    const leaveEditor = editor.subscribe((now, before) => {
      if (isMoved(now, before)) showSoon();
    });
    const resizes = new ResizeObserver(showSoon);
    const covers = new MutationObserver((records) => records.some(isCover) && showSoon());
    const element = area.current;
    if (element !== null) {
      resizes.observe(element);
      covers.observe(element, { childList: true, subtree: true, attributeFilter: ["hidden"] });
    }
    const leaveToasts = onToast(showSoon);
    return () => {
      leaveEditor();
      leaveToasts();
      resizes.disconnect();
      covers.disconnect();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [editor, controls, area]);
}

/** Null during a drag, when the card is under the pointer, and for several steps, which may not fit. */
function selectedNode(editor: CanvasEditor): string | null {
  const [nodeId, ...others] = editor.selectedNodeIds;
  return nodeId === undefined || others.length > 0 || isDragging(editor) ? null : nodeId;
}

function isMoved(now: CanvasEditor, before: CanvasEditor): boolean {
  const nodeId = selectedNode(now);
  if (nodeId === null) return false;
  const placeOf = ({ definition }: CanvasEditor) => definition.nodes.find(({ id }) => id === nodeId)?.position;
  return (
    now.selectedNodeIds !== before.selectedNodeIds ||
    now.isPanelOpen !== before.isPanelOpen ||
    now.sizes[nodeId] !== before.sizes[nodeId] ||
    (now.definition !== before.definition && placeOf(now) !== placeOf(before))
  );
}

/** The drawing itself changes all the time; only what lies over it counts. */
function isCover({ type, target, addedNodes }: MutationRecord): boolean {
  if (target instanceof Element && target.closest(".workflow-canvas") !== null) return false;
  return type === "attributes" || addedNodes.length > 0;
}
