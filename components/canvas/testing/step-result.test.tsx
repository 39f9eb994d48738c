import { screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import { testNode } from "@/components/canvas/document/test-definition";
import { useTests } from "@/components/canvas/store/draft-context";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { StepResult } from "@/components/canvas/testing/step-result";
import { RUN } from "@/components/testing/sample-objects.fixture";

const WAIT = testNode("wait", "delay", 0, 200, { name: "Wait", seconds: 1 });
const STEP: StepItem = {
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

function Result() {
  useTests((tests) => tests.pins);
  return <StepResult node={WAIT} name="wait" />;
}

function renderResult(step: StepItem | null, isReadOnly = false) {
  const page = renderCanvas(() => <Result />, { nodes: [testNode("start", "action_input", 0, 0), WAIT], isReadOnly });
  if (step !== null) act(() => page.session.tests.getState().remember({ ...RUN, steps: [step] }));
  return { ...page, pins: () => page.session.tests.getState().pins };
}

test("a step that never ran explains how to get its output", () => {
  renderResult(null);
  screen.getByText(/No result yet/);
  expect(screen.queryByRole("button", { name: "Pin" })).toBeNull();
});

test("an output is pinned with the id of its run, and can be unpinned", async () => {
  const { user, pins } = renderResult(STEP);
  await user.click(screen.getByRole("button", { name: "Pin" }));
  expect(pins()).toEqual({ wait: { value: { waited: 1 }, fromRunId: RUN.run_id } });
  await user.click(await screen.findByRole("button", { name: "Unpin" }));
  expect(pins()).toEqual({});
});

test("a truncated output can't be pinned", () => {
  renderResult({ ...STEP, truncated: true });
  expect(screen.queryByRole("button", { name: "Pin" })).toBeNull();
});

test("a skipped step says that it was skipped", () => {
  renderResult({ ...STEP, status: "skipped", output: null });
  screen.getByText("A condition skipped this step.");
});

test("a viewer sees the output but no buttons to test or pin", () => {
  const { container } = renderResult(STEP, true);
  expect(within(container).queryByRole("button", { name: /Pin|Test this step|Run / })).toBeNull();
});

test("the console of code is shown with its result, even if the code failed", () => {
  const failure = { code: "UNKNOWN", reason: "code_threw", message: "Error: boom (line 2)" } as const;
  const { session } = renderResult({ ...STEP, console: ["rows 2"] });
  expect(within(screen.getByRole("list", { name: "Console output" })).getByRole("listitem").textContent).toBe("rows 2");
  const later: StepItem = { ...STEP, status: "failed", error: failure, console: ["[error] no"] };
  act(() => session.tests.getState().hear({ ...RUN, run_id: "later", steps: [later] }));
  screen.getByText("[error] no");
});
