import { screen } from "@testing-library/react";
import { act } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { dropSelection } from "@/components/canvas/actions/canvas-actions";
import { testNode } from "@/components/canvas/document/test-definition";
import { card, renderEditor } from "@/components/canvas/editor/render-editor.fixture";
import { CANVAS_KINDS } from "@/components/canvas/kinds/canvas-kinds";
import { typeIn } from "@/components/canvas/kinds/render-form.fixture";

const STEPS = 40;

/** Counts how often the icon of approvals is drawn: once for each card, and once for the header of the panel. */
function countIcons() {
  const { icon } = CANVAS_KINDS.approval;
  const counted = vi.fn(() => null);
  Object.assign(CANVAS_KINDS.approval, { icon: counted });
  onTestFinished(() => void Object.assign(CANVAS_KINDS.approval, { icon }));
  return counted;
}

/** Renders an input and 39 approvals, and returns the count of the icons that are drawn from now on. */
async function renderApprovals() {
  const approvals = Array.from({ length: STEPS - 1 }, (_, at) =>
    testNode(`ask_${at}`, "approval", 0, 200 * (at + 1), { name: `Ask ${at}`, message: "Ready?" }),
  );
  const counted = countIcons();
  const page = await renderEditor({
    nodes: [testNode("start", "action_input", 0, 0, { properties: [] }), ...approvals],
  });
  expect(counted.mock.calls.length).toBeGreaterThanOrEqual(STEPS - 1);
  return { ...page, counted };
}

test("a letter typed in an expression field draws no other card again", async () => {
  const { user, editor, counted } = await renderApprovals();
  act(() => editor.getState().open("ask_20"));
  const field = await screen.findByRole("textbox", { name: "Message" });
  await typeIn(user, field, " Yes");
  counted.mockClear();
  await user.keyboard("!?");
  expect(editor.getState().definition.nodes[21]?.data.message).toBe("Ready? Yes!?");
  // For each of the two letters, the edited card and the header of its panel.
  expect(counted.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(counted.mock.calls.length).toBeLessThanOrEqual(4);
});

test("a card that is dragged draws no card again, and its drop draws no other card", async () => {
  const { editor, counted } = await renderApprovals();
  const { drag } = editor.getState();
  counted.mockClear();
  for (const x of [18, 36, 54]) act(() => drag({ ask_20: { x, y: 4_200 } }, null));
  expect(card("Ask 20").closest<HTMLElement>(".react-flow__node")?.style.translate).toMatch(/^54px/);
  expect(counted).not.toHaveBeenCalled();
  act(() => {
    drag({}, null);
    dropSelection(editor, { ask_20: { x: 54, y: 4_200 } });
  });
  expect(editor.getState().definition.nodes[21]?.position).toEqual({ x: 54, y: 4_200 });
  expect(counted).toHaveBeenCalledTimes(1);
});
