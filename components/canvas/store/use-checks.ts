import { useEffect } from "react";
import { loadChecks } from "@/components/canvas/document/analysis";
import type { EditorStore } from "@/components/canvas/store/editor-store";

const RETRY_MS = 5_000;

/** Starts loading the checks while the workflow loads, so that most drawings show their problems from the start. */
export function useChecksEarly(): void {
  useEffect(() => {
    // A failure is retried once the drawing is open.
    loadChecks().catch(() => undefined);
  }, []);
}

/** Shows the problems of an open drawing once the checks have loaded. A failure, such as a lost connection, is retried. */
export function useChecks(editor: EditorStore): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOpen = true;
    const show = () => isOpen && editor.setState({ isChecked: true });
    const load = () => {
      loadChecks().then(show, () => {
        if (isOpen) timer = setTimeout(load, RETRY_MS);
      });
    };
    load();
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, [editor]);
}
