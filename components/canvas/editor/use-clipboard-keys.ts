import { useLayoutEffect } from "react";
import { deleteSelection } from "@/components/canvas/actions/canvas-actions";
import { copySelection } from "@/components/canvas/actions/clipboard-actions";
import { loadPaste } from "@/components/canvas/actions/load-actions";
import type { Point } from "@/components/canvas/document/dimensions";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import { fullNodeId } from "@/components/canvas/store/panel-slice";
import { useReactFlow } from "@/components/canvas/view/flow";
import { useSession } from "@/components/shell/session-context";
import { withCode } from "@/components/ui/with-code";

const ELSEWHERE = "input,textarea,select,[contenteditable=true],[role=dialog],[role=alertdialog],[role=menu]";

/**
 * Handles ⌘C, ⌘X and ⌘V through the browser's clipboard events, which give access to the clipboard without a permission
 * prompt. Fields, dialogs and selected text keep the browser's behavior.
 */
export function useClipboardKeys(): void {
  const editor = useEditorStore();
  const { workspace_id: workspaceId } = useSession().workspace;
  const { screenToFlowPosition } = useReactFlow();
  useLayoutEffect(() => {
    const isOthers = (event: ClipboardEvent) =>
      event.defaultPrevented || isElsewhere(event) || fullNodeId(editor.getState()) !== null;
    let pointer: Point | null = null;
    const follow = (event: PointerEvent) => {
      pointer = { x: event.clientX, y: event.clientY };
    };
    const copy = (event: ClipboardEvent) => {
      if (isOthers(event) || !window.getSelection()?.isCollapsed) return;
      const text = copySelection(editor, workspaceId);
      if (text === null || event.clipboardData === null) return;
      event.clipboardData.setData("text/plain", text);
      event.preventDefault();
      if (event.type === "cut") deleteSelection(editor);
    };
    const paste = (event: ClipboardEvent) => {
      if (isOthers(event)) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      // Steps are a JSON object; no other text is worth loading the code for.
      if (!text.trimStart().startsWith("{")) return;
      event.preventDefault();
      const at = screenToFlowPosition(placeInView(pointer));
      void withCode(loadPaste, "The steps couldn't be pasted.", ({ pasteText }) =>
        pasteText(editor, text, workspaceId, at),
      );
    };
    window.addEventListener("pointermove", follow, { passive: true });
    window.addEventListener("copy", copy);
    window.addEventListener("cut", copy);
    window.addEventListener("paste", paste);
    return () => {
      window.removeEventListener("pointermove", follow);
      window.removeEventListener("copy", copy);
      window.removeEventListener("cut", copy);
      window.removeEventListener("paste", paste);
    };
  }, [editor, workspaceId, screenToFlowPosition]);
}

function isElsewhere(event: ClipboardEvent): boolean {
  return event.target instanceof HTMLElement && event.target.closest(ELSEWHERE) !== null;
}

/** Returns the pointer's position if it is over the drawing, otherwise the middle of the drawing. */
function placeInView(pointer: Point | null): Point {
  const pane = document.querySelector(".workflow-canvas")?.getBoundingClientRect() ?? new DOMRect();
  const isInside =
    pointer !== null &&
    pointer.x > pane.left &&
    pointer.x < pane.right &&
    pointer.y > pane.top &&
    pointer.y < pane.bottom;
  return isInside ? pointer : { x: pane.left + pane.width / 2, y: pane.top + pane.height / 2 };
}
