import type { ReactNode, RefObject } from "react";
import { vi } from "vitest";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { loadExpressionEditor } from "@/components/canvas/expressions/editor/load-editor";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { DraftProvider } from "@/components/canvas/store/draft-context";
import { openSession } from "@/components/canvas/store/open-session.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { renderPage } from "@/components/testing/render-page.fixture";

// Forms show the editor of expressions at once, as they do when it is loaded.
await loadExpressionEditor();

interface CanvasOptions {
  nodes: GraphNode[];
  isReadOnly?: boolean;
  /** The node whose panel is open. */
  open?: string;
  prepare?: (server: FakeServer) => void;
  /** Changes the opened session before the first render. */
  before?: (session: ReturnType<typeof openSession>) => void;
}

/** Renders a part of the editor with a draft of consecutive steps; the view controls are spies. */
export function renderCanvas(
  part: (controls: RefObject<CanvasControls>) => ReactNode,
  { nodes, isReadOnly = false, open, prepare, before }: CanvasOptions,
) {
  const session = openSession(nodes);
  session.editor.setState({ isReadOnly });
  if (open !== undefined) session.editor.getState().open(open);
  before?.(session);
  const names = ["addNode", "addNote", "fit", "fitSelection", "zoomTo", "zoomBy", "focusNode", "showNode"] as const;
  const more = ["toggleOutline", "toggleMap", "openHelp"] as const;
  const spies = Object.fromEntries([...names, ...more].map((name) => [name, vi.fn()])) as unknown as CanvasControls;
  const page = renderPage(<DraftProvider session={session}>{part({ current: spies })}</DraftProvider>, {
    ...(prepare === undefined ? {} : { prepare }),
  });
  return { ...page, session, editor: session.editor, controls: spies };
}
