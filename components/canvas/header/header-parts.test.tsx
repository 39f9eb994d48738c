import { screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import { eventually } from "#lib/support/eventually.fixture";
import { analyse } from "@/components/canvas/document/analysis";
import { testNode } from "@/components/canvas/document/test-definition";
import { projectDefinition } from "@/components/canvas/editor/drawing/project-definition";
import { ConflictBar } from "@/components/canvas/header/conflict-bar";
import { ProblemList } from "@/components/canvas/header/problem-list";
import { SaveStatus } from "@/components/canvas/header/save-status";
import type { SaveState } from "@/components/canvas/store/autosave";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";

const START = testNode("start", "action_input", 0, 0, { properties: [] });
const WAIT = testNode("wait", "delay", 0, 200, { name: "Wait", seconds: 5 });
const EMPTY = testNode("ask", "sub_workflow", 0, 200, { name: "Call", action_slug: "", input: {} });
const END = testNode("end", "return_output", 0, 400, { properties: [] });

const renderStatus = () => renderCanvas(() => <SaveStatus />, { nodes: [START] });
const setStatus = ({ session }: ReturnType<typeof renderStatus>, status: SaveState) =>
  act(() => session.draft.setState({ status }));

test("the save status names each state, and announces only states that need the user", () => {
  const page = renderStatus();
  setStatus(page, { kind: "unsaved" });
  screen.getByText("Unsaved changes");
  setStatus(page, { kind: "saving" });
  screen.getByText("Saving…");
  expect(screen.queryByRole("status")).toBeNull();
  setStatus(page, { kind: "offline" });
  expect(screen.getByRole("status").textContent).toBe("Offline: changes kept in this browser");
  setStatus(page, { kind: "saved", at: Date.now() });
  screen.getByText("Saved");
  setStatus(page, { kind: "conflict" });
  screen.getByText("Not saved: changed elsewhere");
});

test("a failed save shows the reason, and a click retries it", async () => {
  const page = renderStatus();
  page.server.refuse("save_draft", { code: "INTERNAL_ERROR", message: "It did not work." });
  const disconnect = page.session.connect();
  act(() => page.editor.getState().rename("Paybacks"));
  await act(() => page.session.saveNow());
  setStatus(page, { kind: "failed", message: "The server is down." });
  expect(screen.getByRole("status").textContent).toBe("Not saved: The server is down.");
  const sent = page.server.sent("save_draft").length;
  await page.user.click(screen.getByRole("button", { name: "Retry" }));
  await eventually(() => expect(page.server.sent("save_draft").length).toBeGreaterThan(sent));
  expect(page.server.sent("save_draft").at(-1)).toMatchObject({ name: "Paybacks", expected_revision: 1 });
  disconnect();
});

test('a complete drawing shows "No problems", and an empty one shows nothing', () => {
  const { editor } = renderCanvas((controls) => <ProblemList controls={controls} />, { nodes: [START, WAIT, END] });
  screen.getByText("No problems");
  act(() => editor.getState().edit({ nodes: [], edges: [] }));
  expect(screen.queryByText("No problems")).toBeNull();
});

test("clicking a problem opens its step at the field", async () => {
  const { user, editor } = renderCanvas((controls) => <ProblemList controls={controls} />, {
    nodes: [START, EMPTY, END],
  });
  await user.click(screen.getByRole("button", { name: /problems?$/ }));
  const [first] = within(await screen.findByRole("dialog", { name: "Problems" })).getAllByRole("button");
  if (first !== undefined) await user.click(first);
  expect(editor.getState().selectedNodeIds).toEqual(["ask"]);
  expect(editor.getState().isPanelOpen).toBe(true);
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
});

const returned = (...values: string[]) =>
  testNode("end", "return_output", 0, 400, {
    properties: values.map((value, at) => ({ name: `p${at}`, type: "number", value })),
  });
const INPUT = testNode("start", "action_input", 0, 0, {
  properties: [{ name: "amount", type: "number", required: true }],
});

test("a fix is applied from the list of problems, all of them at once, and undo takes them back together", async () => {
  const wrong = returned("{{action_input.amuont}}", "{{action_imput.amount}}");
  const { user, editor } = renderCanvas((controls) => <ProblemList controls={controls} />, { nodes: [INPUT, wrong] });
  const dataOf = () => editor.getState().definition.nodes[1]?.data;
  await user.click(screen.getByRole("button", { name: "2 problems" }));
  await user.click((await screen.findAllByRole("button", { name: "Apply fix" }))[0] as HTMLElement);
  await eventually(() => expect(dataOf()).toEqual(returned("{{action_input.amount}}", "{{action_imput.amount}}").data));
  act(() => editor.getState().undo());
  await user.click(await screen.findByRole("button", { name: "Apply all" }));
  await eventually(() => expect(dataOf()).toEqual(returned("{{action_input.amount}}", "{{action_input.amount}}").data));
  screen.getByText("No problems");
  act(() => editor.getState().undo());
  expect(dataOf()).toEqual(wrong.data);
});

test("problems of one cause are one line with the number of their steps, and one press fixes all of them", async () => {
  const steps = ["a", "b", "c"].map((id) =>
    testNode(id, "transform", 0, 0, { name: id, fields: [{ name: "x", value: "{{action_input.amuont}}" }] }),
  );
  const { user, editor } = renderCanvas((controls) => <ProblemList controls={controls} />, {
    nodes: [INPUT, ...steps, returned("{{action_imput.amount}}")],
  });
  await user.click(screen.getByRole("button", { name: "4 problems" }));
  const list = within(await screen.findByRole("dialog", { name: "Problems" }));
  expect(list.queryByRole("button", { name: /^b/ })).toBeNull();
  const group = list.getByRole("button", { name: /^3 steps/ });
  await user.click(group);
  expect(group.getAttribute("aria-expanded")).toBe("true");
  list.getByRole("button", { name: /^b/ });
  await user.click(list.getByRole("button", { name: "Apply 3 fixes" }));
  const fieldsOf = (id: string) => editor.getState().definition.nodes.find((node) => node.id === id)?.data.fields;
  for (const { id } of steps)
    await eventually(() => expect(fieldsOf(id)).toEqual([{ name: "x", value: "{{action_input.amount}}" }]));
  screen.getByRole("button", { name: "1 problem" });
});

test("a step that was just added reports no problem until a field was left, or everything is to be shown", () => {
  const { editor } = renderCanvas((controls) => <ProblemList controls={controls} />, { nodes: [START, EMPTY, END] });
  screen.getByRole("button", { name: "1 problem" });
  const cardOf = (id: string) => {
    const state = editor.getState();
    return projectDefinition({ ...state, analysis: analyse(state.definition) }, null).cards.get(id);
  };
  act(() => editor.getState().openFresh("ask"));
  screen.getByText("New step");
  expect(screen.queryByRole("button", { name: /problem/ })).toBeNull();
  expect(cardOf("ask")?.content.problems).toEqual([]);
  act(() => editor.getState().select(["start"]));
  act(() => editor.getState().leaveField("ask", "input"));
  screen.getByText("New step");
  act(() => editor.getState().leaveField("ask", "action_slug"));
  screen.getByRole("button", { name: "1 problem" });
  expect(cardOf("ask")?.ariaLabel).toContain("error");
  act(() => editor.getState().openFresh("ask"));
  act(() => editor.getState().follow("ask", "call"));
  expect(editor.getState().freshNodes).toEqual({ call: [] });
  act(() => editor.getState().showAllProblems());
  screen.getByRole("button", { name: "1 problem" });
});

test("what only the server finds is listed until its step changes", () => {
  const problem = { severity: "error", code: "INVALID_DATA", message: "Call: x", node_id: "end", field: "x" } as const;
  const { editor } = renderCanvas((controls) => <ProblemList controls={controls} />, {
    nodes: [START, WAIT, END],
    before: ({ draft }) => draft.setState(({ facts }) => ({ facts: { ...facts, problems: [problem] } })),
  });
  screen.getByRole("button", { name: "1 problem" });
  const change = (id: string) =>
    act(() => {
      const { definition, edit } = editor.getState();
      const nodes = definition.nodes.map((node) =>
        node.id === id ? { ...node, position: { x: node.position.x + 8, y: node.position.y } } : node,
      );
      edit({ ...definition, nodes });
    });
  change("wait");
  screen.getByRole("button", { name: "1 problem" });
  change("end");
  screen.getByText("No problems");
});

const THEIRS = {
  workflow_id: "w1",
  name: "Refunds",
  draft_revision: 2,
  updated_at: "2026-01-02T00:00:00.000Z",
  definition: { nodes: [START], edges: [] },
  notes: [],
  problems: [],
  trigger: null,
  action: null,
} as Partial<WorkflowDetailObject> as WorkflowDetailObject;

const renderConflict = () =>
  renderCanvas(() => <ConflictBar />, {
    nodes: [START, WAIT],
    prepare: (server) => server.answer("get_workflow", THEIRS as never),
    before: ({ draft }) => draft.setState({ conflict: { theirs: THEIRS }, status: { kind: "conflict" } }),
  });

test("there is no bar without a conflict", () => {
  renderCanvas(() => <ConflictBar />, { nodes: [START] });
  expect(screen.queryByRole("alert")).toBeNull();
});

test('"Take theirs" shows their drawing, and undo restores the user\'s own', async () => {
  const { user, editor } = renderConflict();
  await user.click(within(screen.getByRole("alert")).getByRole("button", { name: "Take theirs" }));
  await eventually(() => expect(editor.getState().definition.nodes.map(({ id }) => id)).toEqual(["start"]));
  await eventually(() => expect(screen.queryByRole("alert")).toBeNull());
  act(() => editor.getState().undo());
  expect(editor.getState().definition.nodes.map(({ id }) => id)).toEqual(["start", "wait"]);
});

test('"Keep mine" keeps the drawing and ends the conflict', async () => {
  const { user, editor } = renderConflict();
  await user.click(within(screen.getByRole("alert")).getByRole("button", { name: "Keep mine" }));
  await eventually(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(editor.getState().definition.nodes.map(({ id }) => id)).toEqual(["start", "wait"]);
});

test("when the server refuses a choice, the error is shown and the user can choose again", async () => {
  const { user, server } = renderConflict();
  server.refuse("get_workflow", { code: "INTERNAL_ERROR", message: "It did not work." });
  await user.click(within(screen.getByRole("alert")).getByRole("button", { name: "Take theirs" }));
  await screen.findByText(/It did not work/);
  expect(screen.getByRole("button", { name: "Take theirs" })).toHaveProperty("disabled", false);
});

test("a dialog shows the differences between both drawings", async () => {
  const { user } = renderConflict();
  await user.click(screen.getByRole("button", { name: "View changes" }));
  const dialog = await screen.findByRole("dialog", { name: "Compare versions" });
  await within(dialog).findByText("Only in yours");
  expect(within(dialog).getAllByText(/Wait/).length).toBeGreaterThan(0);
});

test("a problem that no edit of the drawing fixes has a button that does", async () => {
  const lacking = { code: "INVALID_DATA", message: "Call: x", node_id: "wait", field: "connection_id" } as const;
  const alone = { code: "TRIGGER_ALONE", message: "Start: y", node_id: "start" } as const;
  const { user, controls, editor } = renderCanvas((refs) => <ProblemList controls={refs} />, {
    nodes: [START, WAIT],
    prepare: (server) => server.answer("list_connection_kinds", { data: [] }),
    before: ({ draft }) =>
      draft.setState(({ facts }) => {
        const problems = [lacking, alone].map((problem) => ({ ...problem, severity: "error" as const }));
        return { facts: { ...facts, problems } };
      }),
  });
  await user.click(screen.getByRole("button", { name: /problems$/ }));
  await user.click(await screen.findByRole("button", { name: "New connection" }));
  await user.click(within(await screen.findByRole("dialog", { name: "New connection" })).getByText("Cancel"));
  await user.click(screen.getByRole("button", { name: /problems$/ }));
  await user.click(await screen.findByRole("button", { name: "Add step" }));
  expect(editor.getState().selectedNodeIds).toEqual(["start"]);
  expect(controls.addNode).toHaveBeenCalledOnce();
});
