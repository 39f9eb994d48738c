import { screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import type { RunObject } from "#lib/contract/run/run";
import { testNode } from "@/components/canvas/document/test-definition";
import { fillIn } from "@/components/canvas/kinds/render-form.fixture";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { TestPanel } from "@/components/canvas/testing/test-panel";
import { RUN } from "@/components/testing/sample-objects.fixture";

const properties = [{ name: "amount", type: "number", required: true }];
const NODES = [
  testNode("start", "action_input", 0, 0, { properties }),
  testNode("wait", "delay", 0, 200, { name: "Wait", seconds: 1 }),
  testNode("end", "return_output", 0, 400, { properties: [] }),
];
const STEP: RunObject["steps"][number] = {
  step_id: "wait",
  name: "Wait",
  type: "delay",
  status: "completed",
  attempt: 1,
  iteration: null,
  started_at: RUN.started_at,
  completed_at: RUN.completed_at,
  duration_ms: 10,
  input: null,
  output: { waited: 1 },
  error: null,
  truncated: false,
  reused: false,
};
const DONE: RunObject = { ...RUN, status: "succeeded", steps: [STEP], output: { ok: true } };

function renderTest(options: { isReadOnly?: boolean } = {}) {
  return renderCanvas((controls) => <TestPanel controls={controls} />, {
    nodes: NODES,
    ...options,
    before: ({ tests }) => tests.getState().open(true),
  });
}
const runButton = () => screen.getAllByRole("button", { name: /^Run the draft/ })[0] as HTMLElement;

test("a test sends the typed input, parsed by its type, with the saved revision", async () => {
  const { user, server } = renderTest();
  server.answer("test_workflow", DONE);
  await fillIn(user, screen.getByLabelText(/^amount/), "12.5");
  await user.click(runButton());
  await screen.findByRole("list", { name: "Steps of this test" });
  expect(server.sent("test_workflow")).toEqual([
    expect.objectContaining({ workflow_id: "w1", input: { amount: 12.5 }, expected_revision: 1 }),
  ]);
});

test("an invalid input is marked and nothing runs", async () => {
  const { user, server } = renderTest();
  const amount = screen.getByLabelText(/^amount/);
  await fillIn(user, amount, "lots");
  await user.click(runButton());
  expect(amount.getAttribute("aria-invalid")).toBe("true");
  expect(server.sent("test_workflow")).toEqual([]);
});

test("a step of the test opens its output on the drawing", async () => {
  const { user, session, editor, controls } = renderTest();
  act(() => session.tests.getState().begin(DONE, null, ["start", "wait", "end"]));
  const steps = within(screen.getByRole("list", { name: "Steps of this test" }));
  await user.click(steps.getByRole("button", { name: /^Wait/ }));
  expect([editor.getState().selectedNodeIds, editor.getState().panelTab]).toEqual([["wait"], "output"]);
  expect(controls.showNode).toHaveBeenCalledWith("wait");
});

test("a rejected test shows the reason", async () => {
  const { user, server } = renderTest();
  server.refuse("test_workflow", { code: "INTERNAL_ERROR", message: "No worker is running." });
  await fillIn(user, screen.getByLabelText(/^amount/), "1");
  await user.click(runButton());
  await screen.findByText(/No worker is running\./);
});

test("a viewer can't run the draft, and closing the test clears it", async () => {
  const { user, session } = renderTest({ isReadOnly: true });
  act(() => session.tests.getState().begin(DONE, null, []));
  const header = screen.getByRole("region", { name: "Test" }).querySelector("header") as HTMLElement;
  expect(within(header).queryByRole("button", { name: /^Run the draft/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Close the test panel" }));
  expect([session.tests.getState().isOpen, session.tests.getState().run]).toEqual([false, null]);
});
