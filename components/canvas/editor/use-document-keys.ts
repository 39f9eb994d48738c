import { useEffect } from "react";
import { toast } from "sonner";
import { useDraftSession } from "@/components/canvas/store/draft-context";

/** Chords that work wherever the focus is: ⌘S saves at once, ⌘⇧P opens the publish dialog. */
export function useDocumentKeys(openPublish: () => void): void {
  const { saveNow } = useDraftSession();
  useEffect(() => {
    async function saveAloud() {
      commitHeldText();
      if (await saveNow()) toast.success("Saved.", { id: "saved" });
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
        openPublish();
      }
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [saveNow, openPublish]);
}

/** Names hold their text back until they are left, so that an id does not follow every letter. */
function commitHeldText(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || !field.matches("[data-held]")) return;
  field.blur();
  field.focus();
}
