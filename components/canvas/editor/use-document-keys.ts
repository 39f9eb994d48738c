import { useLayoutEffect } from "react";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { fullNodeId } from "@/components/canvas/store/panel-slice";
import { withTestCode } from "@/components/canvas/testing/with-test-code";
import { toast } from "@/components/ui/toast";

/**
 * Handles key combinations that work wherever the focus is: ⌘S saves, ⌘⇧P publishes, ⌘F finds, ⌘↵ runs the draft, ⌘⇧↵
 * tests the selected step, as does ⌘↵ in its workspace.
 */
export function useDocumentKeys({ publish, find }: { publish: () => void; find: () => void }): void {
  const session = useDraftSession();
  useLayoutEffect(() => {
    async function saveAloud() {
      commitHeldText();
      if (await session.saveNow()) toast.success("Saved.", { id: "saved" });
    }
    function onKeyDown(event: KeyboardEvent) {
      if (!(event.metaKey || event.ctrlKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key === "s" && !event.shiftKey) {
        event.preventDefault();
        void saveAloud();
      }
      if (key === "p" && event.shiftKey) {
        event.preventDefault();
        publish();
      }
      // A menu or a dialog handles Enter itself.
      const isElsewhere = event.target instanceof HTMLElement && event.target.closest(MODAL) !== null;
      if (key === "f" && !event.shiftKey && !event.defaultPrevented && !isElsewhere) {
        event.preventDefault();
        find();
      }
      if (key === "enter" && !event.defaultPrevented && !isElsewhere) {
        event.preventDefault();
        commitHeldText();
        testAloud(session, event.shiftKey || fullNodeId(session.editor.getState()) !== null);
      }
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [session, publish, find]);
}

const MODAL = "[role=dialog],[role=alertdialog],[role=menu]";

function testAloud(session: DraftSession, isOneStep: boolean): void {
  const [nodeId, ...others] = session.editor.getState().selectedNodeIds;
  if (!isOneStep) void withTestCode(({ runTest }) => runTest(session));
  else if (nodeId === undefined || others.length > 0) toast.message("Select the step to test.");
  else void withTestCode(({ testStep }) => testStep(session, nodeId));
}

/** Name fields commit their text only when they lose the focus, so that an id doesn't change with every letter. */
function commitHeldText(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || !field.matches("[data-held]")) return;
  field.blur();
  field.focus();
}
