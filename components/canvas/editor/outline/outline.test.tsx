import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { testNode } from "@/components/canvas/document/test-definition";
import { Outline } from "@/components/canvas/editor/outline/outline";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { expectAccessible, expectFocus } from "@/components/testing/render-page.fixture";

const NODES = [
  testNode("start", "action_input", 0, 0, { name: "Input", properties: [] }),
  testNode("each", "loop", 0, 200, { name: "Each order", items: "{{action_input.orders}}" }),
  { ...testNode("inner", "delay", 0, 40, { name: "Wait", seconds: 1 }), parentId: "each" },
];
const NOTE = { id: "note_1", text: "Ask **Bob**", position: { x: 0, y: 0 }, width: 200, height: 100, color: "yellow" };

function renderOutline() {
  return renderCanvas((controls) => <Outline controls={controls} />, {
    nodes: NODES,
    before: ({ editor }) => editor.setState({ notes: [NOTE as never] }),
  });
}
const rows = () => [...document.querySelectorAll<HTMLElement>("[data-outline-row]")];

test("the steps are listed in reading order, a loop's steps below it, and notes last", async () => {
  const { container } = renderOutline();
  expect(rows().map(({ textContent }) => textContent?.replace(/(Then|Leads|Ends|The run).*/, ""))).toEqual([
    "1. Input",
    "2. Each order",
    "3. Wait",
    expect.stringContaining("Ask"),
  ]);
  await expectAccessible(container);
});

test("a row opens its step and brings it into view", async () => {
  const { user, editor, controls } = renderOutline();
  await user.click(screen.getByRole("button", { name: /2\. Each order/ }));
  expect([editor.getState().selectedNodeIds, editor.getState().isPanelOpen]).toEqual([["each"], true]);
  expect(controls.showNode).toHaveBeenCalledWith("each");
});

test("one row is in the tab order, and arrow keys move through all rows and stop at the ends", async () => {
  const { user } = renderOutline();
  const all = rows();
  expect(all.map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1]);
  all[0]?.focus();
  await user.keyboard("{ArrowUp}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}");
  await expectFocus(all[3] as HTMLElement);
});

test("a row selects its note", async () => {
  const { user, editor, controls } = renderOutline();
  await user.click(rows()[3] as HTMLElement);
  expect(editor.getState().selectedNoteIds).toEqual(["note_1"]);
  expect(controls.focusNode).toHaveBeenCalledWith("note_1");
});

test('the outline of an empty drawing shows "No steps yet" and can be closed', async () => {
  const { user, controls } = renderCanvas((ref) => <Outline controls={ref} />, { nodes: [] });
  screen.getByText("No steps yet.");
  await user.click(screen.getByRole("button", { name: "Close the outline" }));
  expect(controls.toggleOutline).toHaveBeenCalledOnce();
});
