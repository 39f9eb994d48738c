import { useEffect } from "react";
import { isError } from "#lib/core/graph/checks/problem";
import { loadChecks } from "@/components/canvas/document/analysis";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { onIntent } from "@/components/ui/use-on-intent";

const RETRY_MS = 5_000;

/**
 * Loads the checks and shows the problems that they find: when the user is about to use the page, and earlier for a
 * drawing that has errors, which its cards show, or that the server has not checked. A failure, such as a lost
 * connection, is retried.
 */
export function useChecks({ editor, draft }: Pick<DraftSession, "editor" | "draft">): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOpen = true;
    const show = () => isOpen && editor.setState({ isChecked: true });
    const load = () => {
      stop();
      loadChecks().then(show, () => {
        if (isOpen) timer = setTimeout(load, RETRY_MS);
      });
    };
    const loadIfNeeded = () => {
      const { checked, facts } = draft.getState();
      if (editor.getState().definition !== checked || facts.problems.some(isError)) load();
    };
    const stops = [onIntent(load), editor.subscribe(loadIfNeeded), draft.subscribe(loadIfNeeded)];
    function stop() {
      for (const stopOne of stops) stopOne();
    }
    loadIfNeeded();
    return () => {
      isOpen = false;
      stop();
      clearTimeout(timer);
    };
  }, [editor, draft]);
}
