import { screen } from "@testing-library/react";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { testNode } from "@/components/canvas/document/test-definition";
import { EditorFrame } from "@/components/canvas/editor/editor-frame";
import type { PublishPart } from "@/components/canvas/editor/lazy-parts";
import { loadExpressionEditor } from "@/components/canvas/expressions/editor/load-editor";
import { answerLists } from "@/components/canvas/kinds/answer-lists.fixture";
import { loadKindForms } from "@/components/canvas/kinds/load-kind-forms";
import { DraftProvider } from "@/components/canvas/store/draft-context";
import { openSession } from "@/components/canvas/store/open-session.fixture";
import { ReactFlowProvider } from "@/components/canvas/view/flow";
import { measureElements } from "@/components/canvas/view/measure-elements.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { renderPage } from "@/components/testing/render-page.fixture";

// The editor shows forms and expressions at once, as it does when their code is loaded.
await Promise.all([loadKindForms(), loadExpressionEditor()]);

/** An input, a delay of five seconds and an output, each connected to the next. */
const STEPS: readonly GraphNode[] = [
  testNode("start", "action_input", 0, 0, { name: "Begin", properties: [] }),
  testNode("wait", "delay", 0, 200, { name: "Wait", seconds: 5 }),
  testNode("end", "return_output", 0, 400, { name: "Finish", properties: [] }),
];
const NO_PUBLISH: PublishPart = { Dialog: () => null, loads: [] };

interface EditorOptions {
  nodes?: readonly GraphNode[];
  notes?: readonly CanvasNote[];
  isReadOnly?: boolean;
  publish?: PublishPart;
  prepare?: (server: FakeServer) => void;
  /** Changes the opened session before the first render. */
  before?: (session: ReturnType<typeof openSession>) => void;
}

/** Renders the whole editor with a draft of consecutive steps. */
export async function renderEditor(options: EditorOptions = {}) {
  const { nodes = STEPS, notes = [], isReadOnly = false, publish = NO_PUBLISH, prepare, before } = options;
  measureElements();
  const session = openSession([...nodes]);
  session.editor.setState({ isReadOnly, notes });
  before?.(session);
  // Setup by the test must not count as the user's undo steps.
  session.editor.temporal.getState().clear();
  const page = renderPage(
    <DraftProvider session={session}>
      <ReactFlowProvider>
        <EditorFrame publish={publish} />
      </ReactFlowProvider>
    </DraftProvider>,
    {
      prepare: (server) => {
        answerLists(server);
        server.answer("tell_presence", ({ workflow_id, is_here }) => ({ workflow_id, is_here }));
        server.answer("list_step_catalog", { data: [] });
        prepare?.(server);
      },
    },
  );
  if (nodes.length + notes.length > 0) await screen.findAllByRole("group", { name: /^(Step \d|Note:)/ });
  return { ...page, session, editor: session.editor };
}

/** Returns a step's element. Finds it by label, because a search by role computes the style of every element. */
export const card = (name: string) => screen.getByLabelText(new RegExp(`^Step \\d+, ${name},`));

const cards = () => screen.queryAllByLabelText(/^Step \d/);
const nameOf = (drawn: HTMLElement) => drawn.getAttribute("aria-label")?.split(", ")[1] ?? "";

/** Returns the names of the steps on the canvas. */
export const drawnSteps = () => cards().map(nameOf);

/** Returns the names of the steps that are shown as selected. */
export const selectedSteps = () =>
  cards()
    .filter(({ classList }) => classList.contains("selected"))
    .map(nameOf);

export const note = (text: string) => screen.getByLabelText(`Note: ${text}`);

export function sampleNote(changes: Partial<CanvasNote> = {}): CanvasNote {
  return {
    id: "note-1",
    text: "Ask Bea",
    color: "yellow",
    position: { x: 400, y: 0 },
    width: 240,
    height: 160,
    ...changes,
  };
}
