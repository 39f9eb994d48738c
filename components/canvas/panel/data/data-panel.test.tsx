import { createEvent, fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { testNode } from "@/components/canvas/document/test-definition";
import { loadKindForms } from "@/components/canvas/kinds/load-kind-forms";
import { NodePanel } from "@/components/canvas/panel/node-panel";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { expectAccessible, expectFocus } from "@/components/testing/render-page.fixture";

const FORMS = await loadKindForms();
const START = testNode("start", "action_input", 0, 0, {
  properties: [
    { name: "amount", type: "number", required: true },
    { name: "note", type: "string", required: false },
  ],
});
const CALL = testNode("call", "connector", 0, 100, { name: "Call" });
const ASK = testNode("ask", "approval", 0, 200, { name: "Ask", message: "" });
const OUTPUT = {
  status: 200,
  body: { orders: [{ id: "A-1", "unit price": 5 }, { id: "A-2" }], tags: ["new", "paid"] },
};

function renderData({ output = OUTPUT as unknown, isReadOnly = false } = {}) {
  const page = renderCanvas((controls) => <NodePanel controls={controls} forms={FORMS} />, {
    nodes: [START, CALL, ASK],
    open: "ask",
    isReadOnly,
    before: ({ tests }) => tests.getState().pin("call", { value: output, fromRunId: null }),
  });
  const message = () => page.editor.getState().definition.nodes.find(({ id }) => id === "ask")?.data.message;
  return { ...page, message };
}

const tree = () => screen.getByRole("tree", { name: "Data from earlier steps" });
const row = (name: RegExp) => within(tree()).getByRole("treeitem", { name });
const rows = () =>
  within(tree())
    .getAllByRole("treeitem")
    .map((item) => item.textContent);

test("the tree shows the nearest step first, with types, last values and marks", async () => {
  const { container } = renderData();
  expect(rows()).toEqual([
    "call, Call, pinned",
    "status, 200, integer",
    "body, 2 fields, object",
    expect.stringMatching(/^action_input, .*, step 1$/),
    "amount, number",
    "note, may be empty, string",
  ]);
  expect(row(/^note/).title).toContain("if the caller leaves out");
  await expectAccessible(container);
});

test("arrow keys open, close and move, and Enter inserts at the caret of the last field", async () => {
  const { user, message } = renderData();
  const field = screen.getByRole("textbox", { name: "Message" });
  await user.click(field);
  await user.paste("Order ");
  row(/^call/).focus();
  await user.keyboard("{ArrowDown}{ArrowDown}");
  await expectFocus(row(/^body/));
  await user.keyboard("{ArrowRight}{ArrowRight}");
  await expectFocus(row(/^orders/));
  await user.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}{ArrowDown}{ArrowDown}{Enter}");
  expect(message()).toBe('Order {{call.body.orders[0]["unit price"]}}');
  await expectFocus(field);
  row(/^orders/).focus();
  await user.keyboard("{ArrowLeft}");
  expect(row(/^orders/).getAttribute("aria-expanded")).toBe("false");
  await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}");
  await expectFocus(row(/^call/));
  expect(rows()).not.toContain("status, 200, integer");
});

test("typed letters move to the row that starts with them, and End and Home to the last and the first", async () => {
  const { user } = renderData();
  row(/^call/).focus();
  await user.keyboard("no");
  await expectFocus(row(/^note/));
  await user.keyboard("{Home}");
  await expectFocus(row(/^call/));
  await user.keyboard("{End}");
  await expectFocus(row(/^note/));
});

test("keys in the tree don't delete the step or leave the tree", async () => {
  const { user, editor } = renderData();
  row(/^call/).focus();
  await user.keyboard("{Delete}{Backspace}");
  expect(editor.getState().definition.nodes).toHaveLength(3);
  await expectFocus(row(/^call/));
});

test("a dragged row carries its reference", () => {
  renderData();
  const data = new Map<string, string>();
  const event = createEvent.dragStart(row(/^status/));
  Object.defineProperty(event, "dataTransfer", {
    value: { setData: (type: string, text: string) => data.set(type, text) },
  });
  fireEvent(row(/^status/), event);
  expect(data.get("text/plain")).toBe("{{call.status}}");
});

test("the search keeps the rows around its hits", async () => {
  const { user } = renderData();
  await user.type(screen.getByRole("searchbox", { name: "Search the data" }), "paid{Enter}");
  await eventually(() => expect(rows()).toHaveLength(5));
  expect(rows()).toEqual([
    "call, Call, pinned",
    "body, 2 fields, object",
    expect.stringMatching(/^tags/),
    'each, "new, paid", string',
    '[1], "paid", string',
  ]);
  await user.clear(screen.getByRole("searchbox", { name: "Search the data" }));
  await user.type(screen.getByRole("searchbox", { name: "Search the data" }), "nowhere{Enter}");
  await screen.findByText("No field or value contains this text.");
});

test("a list of objects opens as a table, whose cells insert what they show", async () => {
  const { user, message } = renderData();
  await user.click(screen.getByRole("textbox", { name: "Message" }));
  row(/^body/).focus();
  await user.keyboard("{ArrowRight}{ArrowRight}{Shift>}{Enter}{/Shift}");
  const table = screen.getByRole("table", { name: "orders as a table" });
  expect(
    within(table)
      .getAllByRole("columnheader")
      .map(({ textContent }) => textContent),
  ).toEqual([...["Item", "id", "unit price"]]);
  await expectAccessible(table);
  await expectFocus(within(table).getByRole("button", { name: "A-1" }));
  await user.keyboard("{ArrowDown}{Enter}");
  expect(message()).toBe("{{call.body.orders[1].id}}");
  await user.click(within(table).getByRole("button", { name: "5" }));
  expect(message()).toBe('{{call.body.orders[1].id}}{{call.body.orders[0]["unit price"]}}');
  within(table).getByRole("button", { name: "A-1" }).focus();
  await user.keyboard("{Escape}");
  tree();
});

test("of ten thousand values only those near the visible part are rendered, and keys reach every one", async () => {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(400);
  const { user } = renderData({ output: { list: Array.from({ length: 10_000 }, (_, at) => at) } });
  row(/^list/).focus();
  await user.keyboard("{ArrowRight}");
  expect(within(tree()).getAllByRole("treeitem").length).toBeLessThan(100);
  await user.keyboard("{End}{Home}{ArrowDown}{ArrowDown}");
  await expectFocus(row(/^\[0\]/));
  expect(row(/^\[0\]/).getAttribute("aria-setsize")).toBe("10000");
  await user.keyboard("{End}");
  await expectFocus(row(/^note/));
});

test("a letter typed into a field doesn't render the tree again", async () => {
  const { user } = renderData();
  const before = row(/^status/);
  const observed: MutationRecord[] = [];
  const observer = new MutationObserver((records) => observed.push(...records));
  observer.observe(tree(), { subtree: true, childList: true, attributes: true, characterData: true });
  await user.type(screen.getByRole("textbox", { name: "Message" }), "Hello");
  observer.disconnect();
  expect(observed).toEqual([]);
  expect(row(/^status/)).toBe(before);
});

test("a viewer copies a value instead of inserting it", async () => {
  const { user } = renderData({ isReadOnly: true });
  await user.click(row(/^status/));
  expect(await navigator.clipboard.readText()).toBe("{{call.status}}");
});
