import { useEffect } from "react";
import { useEditorStore } from "@/components/canvas/store/draft-context";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import type { DraftSession } from "@/components/canvas/store/open-draft";
import { fullNodeId } from "@/components/canvas/store/panel-slice";

/** The parameters of a step that is open in its workspace: `?node=call&open=full`. */
const NODE = "node";
const OPEN = "open";
/** The run whose values the steps show. */
const RUN = "run";
const FULL = "full";

/** Opens the step that the address names: in its workspace, or else in the panel. */
export function openLinkedStep(editor: EditorStore): void {
  const { definition, select, openFull } = editor.getState();
  const params = new URLSearchParams(window.location.search);
  const nodeId = params.get(NODE);
  if (nodeId === null || !definition.nodes.some((node) => node.id === nodeId)) return;
  if (params.get(OPEN) === FULL) openFull(nodeId);
  else select([nodeId]);
}

/** Shows the run that the address names at the steps, and its output at the step that is open. */
export function openLinkedRun({ editor, tests }: Pick<DraftSession, "editor" | "tests">): void {
  const runId = new URLSearchParams(window.location.search).get(RUN);
  if (runId === null) return;
  tests.getState().openRun(runId);
  const { selectedNodeIds, isFullSize, openOutput } = editor.getState();
  const [nodeId] = selectedNodeIds;
  if (nodeId !== undefined && !isFullSize) openOutput(nodeId);
}

/** Keeps the open workspace in the address, so that a reload returns to it and Back leaves it. */
export function useWorkspaceUrl(): void {
  const editor = useEditorStore();
  useEffect(() => {
    const unsubscribe = editor.subscribe((state, before) => {
      const nodeId = fullNodeId(state);
      if (nodeId !== fullNodeId(before)) writeAddress(nodeId, fullNodeId(before) === null);
    });
    const onPopState = () => {
      const isFull = new URLSearchParams(window.location.search).get(OPEN) === FULL;
      if (isFull) openLinkedStep(editor);
      else if (editor.getState().isFullSize) editor.getState().closePanel();
    };
    window.addEventListener("popstate", onPopState);
    return () => {
      unsubscribe();
      window.removeEventListener("popstate", onPopState);
    };
  }, [editor]);
}

function writeAddress(nodeId: string | null, isOpened: boolean): void {
  const params = new URLSearchParams(window.location.search);
  if (nodeId === null) {
    // Back has already left the address of the workspace.
    if (params.get(OPEN) !== FULL) return;
    params.delete(NODE);
    params.delete(OPEN);
  } else {
    params.set(NODE, nodeId);
    params.set(OPEN, FULL);
  }
  const query = params.size === 0 ? "" : `?${params}`;
  if (query === window.location.search) return;
  const address = window.location.pathname + query + window.location.hash;
  if (isOpened) window.history.pushState(null, "", address);
  else window.history.replaceState(null, "", address);
}
