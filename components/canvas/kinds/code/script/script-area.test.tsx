import { fireEvent, screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import type { StepItem } from "#lib/contract/run/journal";
import { eventually } from "#lib/support/eventually.fixture";
import { renderForm } from "@/components/canvas/kinds/render-form.fixture";
import { RUN } from "@/components/testing/sample-objects.fixture";

const editor = () => screen.findByRole("textbox", { name: "TypeScript" });
const problems = () => within(screen.getByRole("list", { name: "Problems in the code" }));

function stepOf(changes: Partial<StepItem>): StepItem {
  return {
    step_id: "step",
    name: "step",
    type: "code",
    status: "completed",
    attempt: 1,
    iteration: null,
    started_at: RUN.started_at,
    completed_at: RUN.completed_at,
    duration_ms: 10,
    input: null,
    output: null,
    error: null,
    truncated: false,
    reused: false,
    ...changes,
  };
}

test("a property that no earlier step has is listed with its line and column", async () => {
  renderForm("code", { source: "const a = 1;\nreturn input.ordrs;", input: { orders: "{{action_input.orders}}" } });
  await editor();
  await eventually(() =>
    expect(problems().getByRole("button").textContent).toBe(
      'Line 2, column 14: input has no "ordrs"; did you mean "orders"?',
    ),
  );
});

test("the syntax error of the saved draft has the words of publishing and marks the field", async () => {
  const source = "const b = ;";
  const { session } = renderForm("code", { source });
  const field = await editor();
  const { facts } = session.draft.getState();
  const message = "Step: source line 1, column 11: Expression expected";
  const problem = {
    severity: "error",
    code: "SYNTAX_ERROR",
    node_id: "step",
    field: "source",
    message,
    line: 1,
    column: 11,
  } as const;
  act(() =>
    session.draft.setState({ checked: session.editor.getState().definition, facts: { ...facts, problems: [problem] } }),
  );
  await eventually(() =>
    expect(problems().getByRole("button").textContent).toBe("Line 1, column 11: Expression expected"),
  );
  await eventually(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
});

test("the error of the last run names its line until the code changes", async () => {
  const { session } = renderForm("code", { source: "let a;\na.b;" });
  await editor();
  const error = { code: "UNKNOWN", reason: "code_threw", message: "TypeError: no b (line 2)", line: 2 } as const;
  act(() => session.tests.getState().remember({ ...RUN, steps: [stepOf({ status: "failed", error })] }));
  await eventually(() =>
    expect(problems().getByRole("button").textContent).toBe("Line 2 of the last run: TypeError: no b"),
  );
});

test("the error of the last run does not return when changed code is expanded", async () => {
  const { session, unmount } = renderForm("code", { source: "let a;\na.b;" });
  await editor();
  const error = { code: "UNKNOWN", reason: "code_threw", message: "TypeError: no b (line 2)", line: 2 } as const;
  const run = { ...RUN, steps: [stepOf({ status: "failed", error })] };
  act(() => session.tests.getState().remember(run));
  await eventually(() => expect(problems().getByRole("button").textContent).toContain("last run"));
  unmount();
  const again = renderForm("code", { source: "let a = { b: 1 };\na.b;" });
  act(() => again.session.tests.getState().remember(run));
  await editor();
  expect(screen.queryByRole("list", { name: "Problems in the code" })).toBeNull();
});

test("Tab leaves the editor until Ctrl+M, and Escape ends indenting", async () => {
  renderForm("code", { source: "return 1;" });
  const field = await editor();
  const describe = () => document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;
  expect(describe()).toBe("Tab leaves the editor. Press Ctrl+M to indent with Tab.");
  field.focus();
  expect(fireEvent.keyDown(field, { key: "Tab", keyCode: 9 })).toBe(true);
  fireEvent.keyDown(field, { key: "m", keyCode: 77, ctrlKey: true });
  await eventually(() => expect(describe()).toMatch(/^Tab indents/));
  expect(fireEvent.keyDown(field, { key: "Tab", keyCode: 9 })).toBe(false);
  fireEvent.keyDown(field, { key: "Escape", keyCode: 27 });
  await eventually(() => expect(describe()).toMatch(/^Tab leaves/));
});

test("the button opens the step full size with the focus on the code, and the editor keeps its undo history", async () => {
  const { session, user } = renderForm("code", { source: "return 1;" });
  await editor();
  await user.click(screen.getByRole("button", { name: "Expand the editor" }));
  expect(session.editor.getState()).toMatchObject({ isFullSize: true, focusWish: { nodeId: "step", field: "source" } });
  await user.click(screen.getByRole("button", { name: "Show the code in the panel" }));
  expect(session.editor.getState().isFullSize).toBe(false);
});

test("a viewer reads the code and cannot run or change it", async () => {
  renderForm("code", { source: "return 1;" }, { isReadOnly: true });
  const field = await editor();
  expect(field.getAttribute("aria-readonly")).toBe("true");
  expect(screen.queryByRole("button", { name: "Test step" })).toBeNull();
});
