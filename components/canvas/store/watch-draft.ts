import type { Autosave } from "@/components/canvas/store/autosave";
import { isSameTracked } from "@/components/canvas/store/document-slice";
import type { DraftLine } from "@/components/canvas/store/draft-line";
import type { EditorStore } from "@/components/canvas/store/editor-store";

/** Returns a function that starts watching the editor and the page and returns a function that stops it. */
export function draftWatcher({ editor, draft, autosave }: DraftLine): () => () => void {
  let watchers = 0;
  return () => {
    watchers += 1;
    const stopWatching = watchDraft(editor, autosave);
    if (draft.getState().isRestored && watchers === 1) autosave.change();
    return () => {
      watchers -= 1;
      stopWatching();
      autosave.keepLocally();
      // A closed page must not keep retrying next to the new one. React's double mount in development starts it again.
      void autosave.flush().finally(() => watchers === 0 && autosave.stop());
    };
  };
}

function watchDraft(editor: EditorStore, autosave: Autosave): () => void {
  const stopEditor = editor.subscribe((state, before) => {
    if (!isSameTracked(state, before) || state.name !== before.name) autosave.change();
  });
  const flush = () => void autosave.flush();
  const hide = () => {
    autosave.keepLocally();
    flush();
  };
  const onVisibility = () => document.visibilityState === "hidden" && hide();
  window.addEventListener("blur", flush);
  window.addEventListener("online", flush);
  window.addEventListener("pagehide", hide);
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    stopEditor();
    window.removeEventListener("blur", flush);
    window.removeEventListener("online", flush);
    window.removeEventListener("pagehide", hide);
    document.removeEventListener("visibilitychange", onVisibility);
  };
}
