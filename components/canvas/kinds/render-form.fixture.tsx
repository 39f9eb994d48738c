import { within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { JsonObject } from "#lib/contract/json-schema";
import type { SessionObject } from "#lib/contract/web/web";
import { STEP_KINDS, type StepType } from "#lib/core/steps/step-kinds";
import { testNode } from "@/components/canvas/document/test-definition";
import { loadKindForms } from "@/components/canvas/kinds/load-kind-forms";
import { PanelProvider } from "@/components/canvas/panel/fields/panel-context";
import { DraftProvider, useEditor } from "@/components/canvas/store/draft-context";
import { openSession } from "@/components/canvas/store/open-session.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { renderPage } from "@/components/testing/render-page.fixture";

const FORMS = await loadKindForms();
const NONE = { data: [], has_more: false as const, next_cursor: null };

/** Mocks a workspace in which nothing is set up yet. */
function answerLists(server: FakeServer): void {
  server.answer("list_connectors", NONE);
  server.answer("list_connections", NONE);
  server.answer("list_connection_kinds", NONE);
  server.answer("list_circuits", { data: [] });
  server.answer("list_actions", NONE);
  server.answer("get_event_test", { test: null });
}

function Form({ nodeId, isFresh }: { nodeId: string; isFresh: boolean }) {
  const node = useEditor((state) => state.definition.nodes.find(({ id }) => id === nodeId));
  if (node === undefined) return null;
  const KindForm = FORMS[node.type];
  return (
    <PanelProvider node={node} isFresh={isFresh}>
      <KindForm />
    </PanelProvider>
  );
}

interface FormOptions {
  /** Mocks that are added after the answers of an empty workspace. */
  prepare?: (server: FakeServer) => void;
  isReadOnly?: boolean;
  /** False for a step that was opened again, which shows its problems immediately. */
  isFresh?: boolean;
  session?: Partial<SessionObject>;
}

/** Renders the form of a step called `step` after an Action Input, or the form of the entry step itself. */
export function renderForm(type: StepType, data: JsonObject = STEP_KINDS[type].newData(), options: FormOptions = {}) {
  const { prepare, isReadOnly = false, isFresh = true, session: signedIn = {} } = options;
  const properties = [
    { name: "orders", type: "array" },
    { name: "amount", type: "number" },
  ];
  const entry = testNode("start", "action_input", 0, 0, { properties });
  const step = testNode("step", type, 0, 200, data);
  const session = openSession(STEP_KINDS[type].hasInput ? [entry, step] : [step]);
  session.editor.setState({ isReadOnly });
  const page = renderPage(
    <DraftProvider session={session}>
      <Form nodeId="step" isFresh={isFresh} />
    </DraftProvider>,
    {
      session: signedIn,
      prepare: (server) => {
        answerLists(server);
        prepare?.(server);
      },
    },
  );
  const dataOf = () => session.editor.getState().definition.nodes.find(({ id }) => id === "step")?.data;
  return { ...page, session, dataOf };
}

/** Replaces the content of a field by pasting, which keeps braces literal. */
export async function fillIn(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.click(field);
  if (text !== "") await user.paste(text);
}

/** Returns the box of one list item, such as "Rule 2". */
export function itemBox(list: HTMLElement, position: number) {
  const box = within(list).getAllByRole("listitem")[position - 1];
  if (box === undefined) throw new Error(`The list has no item ${position}.`);
  return within(box);
}
