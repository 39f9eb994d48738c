import { type RefObject, useEffect } from "react";
import { focusField } from "@/components/canvas/panel/fields/focus-field";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";

const SETTLE_MS = 40;

/** Focuses the field that a clicked problem or Enter on a card requested, once the panel is mounted. */
export function useFocusWish(nodeId: string, panel: RefObject<HTMLElement | null>): void {
  const editor = useEditorStore();
  const wish = useEditor((state) => state.focusWish);
  useEffect(() => {
    if (wish === null || wish.nodeId !== nodeId) return;
    const before = document.activeElement;
    // Runs after the tab's content has mounted, and after the list or dialog that led here has returned the focus.
    const timer = setTimeout(() => {
      editor.getState().serveWish();
      const now = document.activeElement;
      // If the user has focused another field in the panel meanwhile, the focus stays there.
      const isTaken = now !== before && now !== null && panel.current?.contains(now);
      if (!isTaken) focusField(panel.current, wish.field, wish);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [editor, wish, nodeId, panel]);
}
