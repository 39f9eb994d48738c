import { act, fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { loadPaste } from "@/components/canvas/actions/load-actions";
import { testNode } from "@/components/canvas/document/test-definition";
import {
  card,
  drawnSteps,
  renderEditor,
  sampleNote,
  selectedSteps,
} from "@/components/canvas/editor/render-editor.fixture";

const REQUEST = { method: "GET", url: "https://shop.example" };
const CALL = { name: "Call", connector: "http", connection_id: "c1", operation: "request", params: REQUEST };

type Editor = Awaited<ReturnType<typeof renderEditor>>;

/** Fires the event that the browser sends for the shortcut, and returns the text on the clipboard afterwards. */
function send(kind: "copy" | "cut" | "paste", text = "", target: Element = document.body): string {
  let held = text;
  function setData(_type: string, next: string) {
    held = next;
  }
  fireEvent[kind](target, { clipboardData: { setData, getData: () => held } });
  return held;
}

/** Pastes, and waits for the code that reads the clipboard's text. */
const paste = (text: string, target?: Element) =>
  act(async () => {
    send("paste", text, target);
    await loadPaste();
  });

const selectIds = ({ editor }: Editor, ids: string[], notes: string[] = []) =>
  act(() => editor.getState().select(ids, [], notes));

/** Returns the clipboard text that the canvas writes for the steps of another workflow. */
const copied = (nodes: readonly unknown[], changes: object = {}) =>
  JSON.stringify({ signalbox: "steps", workspace_id: "w-other", nodes, edges: [], ...changes });

test("pasted steps keep the lines between them, get new ids, and are selected", async () => {
  const editor = await renderEditor();
  selectIds(editor, ["wait", "end"]);
  const text = send("copy");
  selectIds(editor, []);
  await paste(text);
  expect(drawnSteps()).toEqual(["Begin", "Wait", "Finish", "Wait", "Finish"]);
  expect(selectedSteps()).toEqual(["Wait", "Finish"]);
  const { definition, selectedNodeIds } = editor.editor.getState();
  expect(new Set(definition.nodes.map(({ id }) => id)).size).toBe(5);
  const [source = "", target = ""] = selectedNodeIds;
  expect(definition.edges.slice(2)).toMatchObject([{ source, target }]);
});

test("cutting removes the steps, and pasting restores them with their settings", async () => {
  const editor = await renderEditor();
  selectIds(editor, ["wait"]);
  const text = send("cut");
  expect(drawnSteps()).toEqual(["Begin", "Finish"]);
  await paste(text);
  expect(selectedSteps()).toEqual(["Wait"]);
  expect(card("Wait").textContent).toContain("5 s");
});

test("notes are copied together with steps", async () => {
  const editor = await renderEditor({ notes: [sampleNote()] });
  selectIds(editor, ["wait"], ["note-1"]);
  await paste(send("copy"));
  expect(screen.getAllByLabelText("Note: Ask Bea")).toHaveLength(2);
  expect(drawnSteps()).toHaveLength(4);
});

test("a trigger's secret is never written to the clipboard", async () => {
  const secret = { $secret: "s1" };
  const trigger = testNode("start", "trigger", 0, 0, { name: "Hook", kind: "webhook", secret });
  const editor = await renderEditor({ nodes: [trigger] });
  selectIds(editor, ["start"]);
  const text = send("copy");
  expect(text).toContain("Hook");
  expect(text).not.toContain("secret");
});

test("copying without a selection leaves the clipboard unchanged", async () => {
  await renderEditor();
  expect(send("copy", "kept")).toBe("kept");
});

test("clipboard shortcuts inside a field act on the field", async () => {
  const editor = await renderEditor();
  selectIds(editor, ["wait"]);
  const name = screen.getByRole("textbox", { name: "Workflow name" });
  expect(send("cut", "", name)).toBe("");
  await paste(copied([testNode("more", "delay", 0, 0, { name: "More", seconds: 1 })]), name);
  expect(drawnSteps()).toEqual(["Begin", "Wait", "Finish"]);
});

test("selected text is copied by the browser, even while a step is selected", async () => {
  const editor = await renderEditor();
  selectIds(editor, ["wait"]);
  window.getSelection()?.selectAllChildren(card("Finish"));
  expect(send("copy")).toBe("");
  window.getSelection()?.removeAllRanges();
  expect(send("copy")).not.toBe("");
});

test("a text without steps is not pasted", async () => {
  await renderEditor();
  for (const text of ["just words", "{", '{"nodes": 1}', copied([])]) await paste(text);
  expect(drawnSteps()).toEqual(["Begin", "Wait", "Finish"]);
});

test("an exported workflow can be pasted", async () => {
  await renderEditor({ nodes: [] });
  const nodes = [testNode("wait", "delay", 0, 0, { name: "Pause", seconds: 1 })];
  await paste(JSON.stringify({ definition: { nodes, edges: [] } }));
  await screen.findByLabelText(/^Step \d+, Pause,/);
});

test("steps from another workspace lose their connection, and a message asks to choose one", async () => {
  const editor = await renderEditor();
  await paste(copied([testNode("call", "connector", 0, 0, CALL)]));
  await screen.findByText(/Choose one/);
  const pasted = editor.editor.getState().definition.nodes.find(({ data }) => data.name === "Call");
  expect(pasted?.data).not.toHaveProperty("connection_id", "c1");
});

test("steps from the same workspace keep their connection", async () => {
  const editor = await renderEditor({ nodes: [testNode("call", "connector", 0, 0, CALL)] });
  selectIds(editor, ["call"]);
  await paste(send("copy"));
  expect(editor.editor.getState().definition.nodes.map(({ data }) => data.connection_id)).toEqual(["c1", "c1"]);
});

test("a second start step is not pasted, and its fields are added on request", async () => {
  const editor = await renderEditor();
  const properties = [{ name: "order", type: "string", required: true }];
  await paste(copied([testNode("in", "action_input", 0, 0, { name: "Other", properties })]));
  await editor.user.click(await screen.findByRole("button", { name: /Add the copied fields/ }));
  expect(drawnSteps()).toEqual(["Begin", "Wait", "Finish"]);
  const start = editor.editor.getState().definition.nodes[0];
  expect(start?.data.properties).toMatchObject([{ name: "order" }]);
});

test("one undo reverts everything that was pasted", async () => {
  const editor = await renderEditor({ notes: [sampleNote()] });
  selectIds(editor, ["wait", "end"], ["note-1"]);
  await paste(send("copy"));
  expect(drawnSteps()).toHaveLength(5);
  await editor.user.keyboard("{Control>}z{/Control}");
  expect(drawnSteps()).toEqual(["Begin", "Wait", "Finish"]);
  expect(screen.getAllByLabelText(/^Note/)).toHaveLength(1);
});
