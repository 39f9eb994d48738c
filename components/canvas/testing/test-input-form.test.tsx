import { screen, within } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { eventually } from "#lib/support/eventually.fixture";
import { testNode } from "@/components/canvas/document/test-definition";
import { fillIn } from "@/components/canvas/kinds/render-form.fixture";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import { runTest } from "@/components/canvas/testing/run-test";
import { TestInputForm } from "@/components/canvas/testing/test-input-form";
import { pageOf } from "@/components/testing/page.fixture";
import { describedBy, expectAccessible, expectFocus } from "@/components/testing/render-page.fixture";
import { sampleRun } from "@/components/testing/run.fixture";

const REFUND = testNode("start", "action_input", 0, 0, {
  properties: [
    { name: "note", type: "string" },
    { name: "amount", type: "number", required: true },
    { name: "urgent", type: "boolean" },
  ],
});
const trigger = (data: Record<string, unknown>) => testNode("start", "trigger", 0, 0, { name: "Trigger", ...data });

function renderInput(start: GraphNode) {
  return renderCanvas(() => <TestInputForm />, {
    nodes: [start],
    prepare: (server) => {
      server.answer("list_runs", pageOf([]));
      server.answer("test_workflow", sampleRun());
    },
  });
}
type Page = ReturnType<typeof renderInput>;
const preset = (page: Page, choice: string) =>
  page.user.selectOptions(screen.getByRole("combobox", { name: /Fill/ }), choice);
const sentInput = async ({ server }: Page) => {
  await eventually(() => expect(server.sent("test_workflow")).toHaveLength(1));
  return server.sent("test_workflow")[0]?.input;
};

test("every field of the action has a control, required fields first", async () => {
  const { container } = renderInput(REFUND);
  const fields = [...container.querySelectorAll("label")].map(({ textContent }) => textContent);
  expect(fields.findIndex((text) => text?.startsWith("amount"))).toBe(0);
  for (const name of [/^amount/, /^note/, /^urgent/]) screen.getByLabelText(name);
  await expectAccessible(container);
});

test("Enter in a field runs the draft with the typed input", async () => {
  const page = renderInput(REFUND);
  await preset(page, "empty");
  await fillIn(page.user, screen.getByLabelText(/^amount/), "12.5");
  await page.user.keyboard("{Enter}");
  expect(await sentInput(page)).toEqual({ amount: 12.5 });
});

test("the example preset fills the form with values of the right type", async () => {
  const page = renderInput(REFUND);
  await preset(page, "empty");
  expect(screen.getByLabelText(/^amount/)).toHaveProperty("value", "");
  await preset(page, "example");
  screen.getByLabelText(/^amount/).focus();
  await page.user.keyboard("{Enter}");
  expect(await sentInput(page)).toMatchObject({ amount: expect.any(Number) });
});

test("the input of an earlier run can be reused, and the test records the id of that run", async () => {
  const page = renderInput(REFUND);
  const earlier = sampleRun({ input: { amount: 7, note: "late" } });
  page.server.answer("list_runs", pageOf([earlier]));
  await page.user.click(screen.getByRole("combobox", { name: /Fill/ }));
  await within(screen.getByRole("combobox", { name: /Fill/ })).findByRole("group", { name: /run/ });
  await preset(page, earlier.run_id);
  expect(screen.getByLabelText(/^amount/)).toHaveProperty("value", "7");
  screen.getByLabelText(/^amount/).focus();
  await page.user.keyboard("{Enter}");
  expect(await sentInput(page)).toMatchObject({ amount: 7, note: "late" });
  expect(page.server.sent("test_workflow")).toMatchObject([{ from_run_id: earlier.run_id }]);
});

test("a field that the server rejects is marked and focused, and typing clears the mark", async () => {
  const page = renderInput(REFUND);
  const details = [{ field: "amount", pointer: "/amount", code: "custom", message: "must be positive" }];
  page.server.refuse("test_workflow", { code: "INPUT_VALIDATION_FAILED", message: "amount: is wrong", details });
  const amount = screen.getByLabelText(/^amount/);
  await fillIn(page.user, amount, "-1");
  await page.user.click(screen.getByLabelText(/^note/));
  await page.user.keyboard("{Enter}");
  await eventually(() => expect(amount.getAttribute("aria-invalid")).toBe("true"));
  expect(describedBy(amount)).toMatch(/positive/);
  await eventually(() => expect(document.activeElement).toBe(amount));
  await page.user.type(amount, "0");
  expect(amount.getAttribute("aria-invalid")).not.toBe("true");
});

test("a failed attempt focuses the first invalid field, and each error stays until its field changes", async () => {
  const { user, session, server } = renderInput(REFUND);
  act(() => session.tests.getState().setTexts({ amount: "lots", urgent: "perhaps" }, null));
  const amount = screen.getByLabelText(/^amount/);
  const urgent = screen.getByLabelText(/^urgent/);
  await user.click(screen.getByLabelText(/^note/));
  await act(() => runTest(session));
  expect(document.activeElement).toBe(amount);
  expect(describedBy(amount)).toMatch(/number/);
  await user.type(amount, "7");
  expect(document.activeElement).toBe(amount);
  expect([amount, urgent].map((field) => field.getAttribute("aria-invalid"))).toEqual([null, "true"]);
  await user.clear(amount);
  await act(() => runTest(session));
  expect(document.activeElement).toBe(urgent);
  expect(server.sent("test_workflow")).toEqual([]);
});

test("a value is not marked as invalid while it is typed, before the first attempt", async () => {
  const { user } = renderInput(trigger({ kind: "webhook" }));
  const body = await screen.findByRole("textbox", { name: /^Body/ });
  await user.click(body);
  await user.keyboard("x");
  expect(screen.queryByText(/isn't valid JSON/)).toBeNull();
});

test("an action without input says so and can still be run", () => {
  renderInput(testNode("start", "action_input", 0, 0, { properties: [] }));
  screen.getByText(/no input/);
  screen.getByRole("button", { name: /^Run the draft/ });
});

test.each([
  [
    "sends a JSON body",
    '{"order": 7}',
    [expect.objectContaining({ input: { output: { body: { order: 7 }, timestamp: expect.any(String) } } })],
  ],
  ["sends nothing for invalid JSON", "{oops", []],
])("a webhook test %s", async (_, text, sent) => {
  const page = renderInput(trigger({ kind: "webhook" }));
  await preset(page, "empty");
  await page.user.click(await screen.findByRole("textbox", { name: /^Body/ }));
  await page.user.paste(text);
  await page.user.click(screen.getByRole("button", { name: /^Run the draft/ }));
  await eventually(() => expect(page.server.sent("test_workflow")).toEqual(sent));
  expect(screen.queryAllByText(/isn't valid JSON/)).toHaveLength(sent.length === 0 ? 1 : 0);
});

test("a schedule is tested at a chosen time, and an invalid time is marked", async () => {
  const page = renderInput(trigger({ kind: "schedule", mode: "interval", seconds: 60 }));
  const moment = screen.getByRole("textbox", { name: /^Time/ });
  await fillIn(page.user, moment, "soon");
  await page.user.keyboard("{Enter}");
  expect(describedBy(moment)).toMatch(/date and time, such as/);
  await fillIn(page.user, moment, "2026-03-01T09:00:00Z");
  await page.user.keyboard("{Enter}");
  expect(await sentInput(page)).toEqual({
    output: { timestamp: "2026-03-01T09:00:00.000Z", scheduleType: "interval", expression: "every 60s" },
  });
});

test("a connector event is tested with the data that the service would send", async () => {
  const page = renderInput(trigger({ kind: "connector", connector: "shop", event: "order_created" }));
  const event = await screen.findByRole("textbox", { name: /^Event/ });
  expect(event.textContent + (event as HTMLTextAreaElement).value).toContain("order_created");
  await page.user.click(screen.getByRole("button", { name: /^Run the draft/ }));
  expect(await sentInput(page)).toMatchObject({ output: { event: "order_created", connector: "shop" } });
});

test("a user who opens the test types over the example of the first field without a click", async () => {
  const page = renderInput(REFUND);
  expect(screen.getByLabelText(/^amount/)).not.toHaveProperty("value", "");
  act(() => page.session.tests.getState().openInput());
  await expectFocus(screen.getByLabelText(/^amount/));
  await page.user.keyboard("12.5{Enter}");
  expect(await sentInput(page)).toMatchObject({ amount: 12.5 });
});

test("a click into an example selects it, and a click into typed text does not", async () => {
  const page = renderInput(REFUND);
  const note = screen.getByLabelText<HTMLInputElement>(/^note/);
  const selected = () => note.value.slice(note.selectionStart ?? 0, note.selectionEnd ?? 0);
  await page.user.click(note);
  await eventually(() => expect(selected()).toBe(note.value));
  await page.user.keyboard("late");
  await page.user.click(screen.getByLabelText(/^amount/));
  await page.user.click(note);
  expect([note.value, selected()]).toEqual(["late", ""]);
});
