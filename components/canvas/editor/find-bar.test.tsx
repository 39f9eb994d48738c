import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { testNode } from "@/components/canvas/document/test-definition";
import { FindBar } from "@/components/canvas/editor/find-bar";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { expectFocus } from "@/components/testing/render-page.fixture";

function renderFind() {
  const onClose = vi.fn();
  const page = renderCanvas((controls) => <FindBar controls={controls} onClose={onClose} />, {
    nodes: [
      testNode("start", "action_input", 0, 0, { name: "Input", properties: [] }),
      testNode("ask", "approval", 0, 200, { name: "Ask", message: "Refund now?" }),
      testNode("wait", "delay", 0, 400, { name: "Refund later", seconds: 5 }),
    ],
  });
  return { ...page, onClose, input: screen.getByRole("textbox", { name: "Find in this workflow" }) };
}
const count = () => screen.getByRole("status").textContent;

test("the bar takes the focus and counts the matches", async () => {
  const { user, input } = renderFind();
  await expectFocus(input);
  expect(count()).toBe("");
  await user.keyboard("refund");
  expect(count()).toBe("2 matches");
  await user.keyboard(" nothing");
  expect(count()).toBe("No matches");
});

test("Enter moves to the next match and wraps around, and Shift with Enter moves back", async () => {
  const { user, editor, controls } = renderFind();
  await user.keyboard("refund{Enter}");
  expect([count(), editor.getState().selectedNodeIds]).toEqual(["1 of 2", ["ask"]]);
  await user.keyboard("{Enter}");
  expect([count(), editor.getState().selectedNodeIds]).toEqual(["2 of 2", ["wait"]]);
  await user.keyboard("{Enter}");
  expect(count()).toBe("1 of 2");
  await user.keyboard("{Shift>}{Enter}{/Shift}");
  expect(count()).toBe("2 of 2");
  expect(controls.showNode).toHaveBeenLastCalledWith("wait");
});

test("Escape closes the bar and opens the field that contains the text", async () => {
  const { user, editor, onClose } = renderFind();
  await user.keyboard("now{Enter}{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
  expect(editor.getState().focusWish).toEqual({ nodeId: "ask", field: "message", isFresh: false });
});

test("changing the text restarts the search, and closing without a match changes nothing", async () => {
  const { user, editor, onClose } = renderFind();
  await user.keyboard("refund{Enter}x");
  expect(count()).toBe("No matches");
  await user.click(screen.getByRole("button", { name: "Close the search" }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(editor.getState().isPanelOpen).toBe(false);
});
