import { within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { SessionObject } from "#lib/contract/wire/web";
import { STEP_KINDS, type StepType } from "#lib/core/steps/step-kinds";
import { testNode } from "@/components/canvas/document/test-definition";
import { loadExpressionEditor } from "@/components/canvas/expressions/editor/load-editor";
import { answerLists } from "@/components/canvas/kinds/answer-lists.fixture";
import { loadKindForms } from "@/components/canvas/kinds/load-kind-forms";
import { PanelProvider } from "@/components/canvas/panel/fields/panel-context";
import { DraftProvider, useEditor } from "@/components/canvas/store/draft-context";
import type { WorkflowFacts } from "@/components/canvas/store/draft-state";
import { openSession } from "@/components/canvas/store/open-session.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { renderPage } from "@/components/testing/render-page.fixture";

const FORMS = await loadKindForms();
// Forms show the editor of expressions at once, as they do when it is loaded.
await loadExpressionEditor();

function Form({ nodeId, isFresh }: { nodeId: string; isFresh: boolean }) {
  const node = useEditor((state) => state.definition.nodes.find(({ id }) => id === nodeId));
  if (node === undefined) return null;
  const KindForm = FORMS[node.type];
  return (
    <PanelProvider node={node} leftFields={isFresh ? [] : null}>
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
  /** What the server has said about the workflow. */
  facts?: Partial<WorkflowFacts>;
}

/** Renders the form of a step called `step` after an Action Input, or the form of the entry step itself. */
export function renderForm(type: StepType, data: JsonObject = STEP_KINDS[type].newData(), options: FormOptions = {}) {
  const { prepare, isReadOnly = false, isFresh = true, session: signedIn = {}, facts = {} } = options;
  const properties = [
    { name: "orders", type: "array" },
    { name: "amount", type: "number" },
  ];
  const entry = testNode("start", "action_input", 0, 0, { properties });
  const step = testNode("step", type, 0, 200, data);
  const session = openSession(STEP_KINDS[type].hasInput ? [entry, step] : [step]);
  session.editor.setState({ isReadOnly });
  session.draft.setState((draft) => ({ facts: Object.assign({}, draft.facts, facts) }));
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
  await user.click(field);
  await user.keyboard("{Control>}a{/Control}");
  if (text === "") await user.keyboard("{Backspace}");
  else await user.paste(text);
}

/** Types at the end of an expression field. A pasted text opens no list of completions. */
export async function typeIn(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.click(field);
  await user.keyboard("{Control>}{End}{/Control}");
  // Braces and brackets have a meaning for user-event, unless they are doubled.
  await user.keyboard(text.replace(/[{[]/g, "$&$&"));
}

/** Returns the box of one list item, such as "Rule 2". */
export function itemBox(list: HTMLElement, position: number) {
  const box = within(list).getAllByRole("listitem")[position - 1];
  if (box === undefined) throw new Error(`The list has no item ${position}.`);
  return within(box);
}
