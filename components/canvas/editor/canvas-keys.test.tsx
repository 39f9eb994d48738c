import { act, fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { insertAt } from "@/components/canvas/actions/canvas-actions";
import {
  card,
  drawnSteps,
  note,
  renderEditor,
  sampleNote,
  selectedSteps,
} from "@/components/canvas/editor/render-editor.fixture";
import { expectFocus } from "@/components/testing/render-page.fixture";
import { sampleRun } from "@/components/testing/run.fixture";

type Editor = Awaited<ReturnType<typeof renderEditor>>;

/** Selects steps as a press on the canvas does, without opening a panel. */
const select = ({ editor }: Editor, ...ids: string[]) => {
  act(() => {
    editor.getState().select(ids);
    editor.getState().closePanel();
  });
};
const placeOf = ({ editor }: Editor, id: string) =>
  editor.getState().definition.nodes.find((node) => node.id === id)?.position;
const panelName = () => screen.findByRole("textbox", { name: "Step name" });

test("a click on the selected step opens its panel again", async () => {
  const editor = await renderEditor();
  select(editor, "wait");
  expect(screen.queryByRole("textbox", { name: "Step name" })).toBeNull();
  fireEvent.click(card("Wait"));
  await panelName();
});

test("arrow keys move along the connection lines, and the focus follows the selection", async () => {
  const editor = await renderEditor();
  card("Begin").focus();
  await editor.user.keyboard("{ArrowDown}");
  await expectFocus(card("Wait"));
  expect(selectedSteps()).toEqual(["Wait"]);
  await editor.user.keyboard("{ArrowDown}");
  await expectFocus(card("Finish"));
  await editor.user.keyboard("{ArrowDown}{ArrowUp}");
  await expectFocus(card("Wait"));
});

test("Shift with an arrow key adds the next step to the selection", async () => {
  const editor = await renderEditor();
  select(editor, "start");
  await editor.user.keyboard("{Shift>}{ArrowDown}{/Shift}");
  expect(selectedSteps()).toEqual(["Begin", "Wait"]);
});

test("Alt with arrow keys moves the selection along the grid, and one undo reverts the whole move", async () => {
  const editor = await renderEditor();
  select(editor, "wait");
  await editor.user.keyboard("{Alt>}{ArrowRight}{ArrowRight}{ArrowDown}{/Alt}");
  expect(placeOf(editor, "wait")).toEqual({ x: 40, y: 220 });
  await editor.user.keyboard("{Control>}z{/Control}");
  expect(placeOf(editor, "wait")).toEqual({ x: 0, y: 200 });
});

test("Alt and Shift with arrow keys move the selection by five grid steps", async () => {
  const editor = await renderEditor();
  select(editor, "wait");
  await editor.user.keyboard("{Alt>}{Shift>}{ArrowRight}{ArrowUp}{/Shift}{/Alt}");
  expect(placeOf(editor, "wait")).toEqual({ x: 100, y: 100 });
});

test.each(["Delete", "Backspace"])(
  "%s removes the selected step and moves the focus to the step before it",
  async (key) => {
    const editor = await renderEditor();
    card("Wait").focus();
    select(editor, "wait");
    await editor.user.keyboard(`{${key}}`);
    expect(drawnSteps()).toEqual(["Begin", "Finish"]);
    await expectFocus(card("Begin"));
  },
);

test("D disables the selected steps and enables them again, and the card and its label say so", async () => {
  const editor = await renderEditor();
  select(editor, "start", "wait");
  const settings = () => editor.editor.getState().definition.nodes.map(({ data }) => data.disabled);
  await editor.user.keyboard("d");
  expect(settings()).toEqual([undefined, true, undefined]);
  within(card("Wait")).getByText("Disabled");
  expect(card("Wait").getAttribute("aria-label")).toMatch(/^Step 2, Wait, Delay, disabled\./);
  await editor.user.keyboard("{Control>}z{/Control}");
  expect(settings()).toEqual([undefined, undefined, undefined]);
  await editor.user.keyboard("dd");
  expect(editor.editor.getState().definition.nodes[1]?.data).toEqual({ name: "Wait", seconds: 5 });
});

test("D says that the start of a workflow can't be disabled", async () => {
  const editor = await renderEditor();
  select(editor, "start");
  await editor.user.keyboard("d");
  await screen.findByText("You can't disable a start step or a Return Output step.");
  expect(editor.editor.getState().definition.nodes[0]?.data.disabled).toBeUndefined();
});

test("undo restores a deleted step with its lines, and redo deletes it again", async () => {
  const editor = await renderEditor();
  select(editor, "wait");
  await editor.user.keyboard("{Delete}{Control>}z{/Control}");
  expect(drawnSteps()).toEqual(["Begin", "Wait", "Finish"]);
  expect(card("Wait").getAttribute("aria-label")).toMatch(/Connected from Begin/);
  await editor.user.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
  expect(drawnSteps()).toEqual(["Begin", "Finish"]);
  await editor.user.keyboard("{Control>}z{/Control}{Control>}y{/Control}");
  expect(drawnSteps()).toEqual(["Begin", "Finish"]);
});

test("a duplicate is a new step next to the first, selected and without connections", async () => {
  const editor = await renderEditor();
  select(editor, "wait");
  await editor.user.keyboard("{Control>}d{/Control}");
  expect(drawnSteps()).toHaveLength(4);
  expect(selectedSteps()).toHaveLength(1);
  expect(editor.editor.getState().definition.edges).toHaveLength(2);
});

test("the start step of a workflow can't be duplicated, and a message explains why", async () => {
  const editor = await renderEditor();
  select(editor, "start");
  await editor.user.keyboard("{Control>}d{/Control}");
  await screen.findByText(/only one/);
  expect(drawnSteps()).toHaveLength(3);
});

test('"Select all" selects steps and notes, and Escape clears the selection', async () => {
  const editor = await renderEditor({ notes: [sampleNote()] });
  await editor.user.keyboard("{Control>}a{/Control}");
  expect(selectedSteps()).toHaveLength(3);
  expect(note("Ask Bea").classList.contains("selected")).toBe(true);
  await editor.user.keyboard("{Escape}");
  expect(selectedSteps()).toEqual([]);
  expect(note("Ask Bea").classList.contains("selected")).toBe(false);
});

test("Enter opens the panel of the focused step; Escape closes it and returns focus to the step", async () => {
  const editor = await renderEditor();
  card("Wait").focus();
  await editor.user.keyboard("{Enter}");
  expect(await panelName()).toHaveProperty("value", "Wait");
  act(() => card("Wait").focus());
  await editor.user.keyboard("{Escape}");
  expect(screen.queryByRole("textbox", { name: "Step name" })).toBeNull();
  await expectFocus(card("Wait"));
  expect(selectedSteps()).toEqual(["Wait"]);
});

test("F2 opens the panel and focuses the name", async () => {
  const editor = await renderEditor();
  card("Wait").focus();
  await editor.user.keyboard("{F2}");
  await expectFocus(await panelName());
});

test("in a field of a step, F2 focuses the name, and the duplicate shortcut continues in the same field of the copy", async () => {
  const editor = await renderEditor();
  act(() => editor.editor.getState().open("wait", "seconds"));
  const field = () => screen.getByRole("textbox", { name: /^Seconds/ });
  await eventually(() => expectFocus(field()));
  const own = field();
  await editor.user.keyboard("{Control>}d{/Control}");
  await eventually(() => expect(field()).not.toBe(own));
  await expectFocus(field());
  expect(drawnSteps()).toHaveLength(4);
  expect(selectedSteps()).not.toContain("Wait");
  await editor.user.keyboard("{F2}");
  await expectFocus(await panelName());
});

test("letters typed into a field don't trigger shortcuts", async () => {
  const editor = await renderEditor();
  const name = screen.getByRole("textbox", { name: "Workflow name" });
  await editor.user.clear(name);
  await editor.user.type(name, "nmo?{Backspace}");
  expect(name).toHaveProperty("value", "nmo");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(drawnSteps()).toHaveLength(3);
});

test("N opens the step picker, and the added step goes after the selected one", async () => {
  const editor = await renderEditor();
  select(editor, "wait");
  await editor.user.keyboard("n");
  await editor.user.type(await screen.findByRole("combobox", { name: /Search/ }), "approval{Enter}");
  await eventually(() => expect(drawnSteps()).toHaveLength(4));
  expect(card("Approval").getAttribute("aria-label")).toMatch(/Connected from Wait/);
  expect(card("Finish").getAttribute("aria-label")).toMatch(/Connected from Approval/);
});

test("N fills the open branch of a selected step first", async () => {
  const editor = await renderEditor();
  act(() => void insertAt(editor.editor, { type: "condition" }, { kind: "edge", edgeId: "wait-end" }));
  select(editor, "start");
  select(editor, "condition");
  await editor.user.keyboard("n");
  await screen.findByRole("dialog", { name: "Add after Condition, branch False" });
});

test("four steps added by keyboard alone are a chain, whose numbers follow the flow", async () => {
  const editor = await renderEditor();
  for (const [at, words] of ["approval", "transform", "condition", "http"].entries()) {
    await editor.user.keyboard("n");
    await editor.user.type(await screen.findByRole("combobox", { name: /Search/ }), `${words}{Enter}`);
    await eventually(() => expect(drawnSteps()).toHaveLength(4 + at));
    await eventually(() => expect(document.activeElement?.closest("[role=tabpanel]")).not.toBeNull());
    await editor.user.keyboard("{Escape}");
  }
  const { definition } = editor.editor.getState();
  expect(definition.edges.map(({ source, target }) => `${source}-${target}`).sort()).toEqual([
    "approval-transform",
    "condition-http_request",
    "http_request-end",
    "start-wait",
    "transform-condition",
    "wait-approval",
  ]);
  expect(drawnSteps()).toEqual(["Begin", "Wait", "Approval", "Transform", "Condition", "HTTP request", "Finish"]);
  for (const [at, name] of drawnSteps().entries()) {
    expect(card(name).getAttribute("aria-label")).toMatch(new RegExp(`^Step ${at + 1},`));
  }
});

test("single-key shortcuts can be turned off in the list of shortcuts, and key combinations still work", async () => {
  const editor = await renderEditor();
  await editor.user.keyboard("?");
  const sheet = await screen.findByRole("dialog", { name: /shortcuts/ });
  await editor.user.click(within(sheet).getByRole("switch", { name: /Single-key/ }));
  await editor.user.keyboard("{Escape}");
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
  await editor.user.keyboard("n?o");
  expect(screen.queryByRole("combobox")).toBeNull();
  expect(screen.queryByRole("dialog")).toBeNull();
  await editor.user.keyboard("{Control>}a{/Control}");
  expect(selectedSteps()).toHaveLength(3);
});

test("P without an output to pin explains what to do first", async () => {
  const editor = await renderEditor();
  select(editor, "wait");
  await editor.user.keyboard("p");
  await screen.findByText(/no output to pin/);
});

test("the save shortcut saves a name that is still being edited", async () => {
  const editor = await renderEditor({
    prepare: (server) =>
      server.answer(
        "save_draft",
        () => ({ draft_revision: 2, updated_at: "2026-01-01T00:00:00.000Z", problems: [] }) as never,
      ),
    before: (session) => void session.connect(),
  });
  const name = screen.getByRole("textbox", { name: "Workflow name" });
  await editor.user.clear(name);
  await editor.user.type(name, "Paybacks");
  await editor.user.keyboard("{Control>}s{/Control}");
  await screen.findByText(/^Saved\./);
  expect(editor.server.sent("save_draft")).toMatchObject([{ name: "Paybacks", expected_revision: 1 }]);
});

test("the run shortcut runs the draft, and with Shift the selected step", async () => {
  const run = sampleRun({ steps: [] });
  const editor = await renderEditor({
    prepare: (server) => {
      server.answer("test_workflow", run);
      server.answer("get_run_status", run);
    },
  });
  await editor.user.keyboard("{Control>}{Enter}{/Control}");
  await eventually(() => expect(editor.server.sent("test_workflow")).toHaveLength(1));
  expect(editor.server.sent("test_workflow")[0]).not.toHaveProperty("until_step");
  select(editor, "wait");
  await eventually(() => expect(editor.session.tests.getState().isStarting).toBe(false));
  await editor.user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
  await eventually(() => expect(editor.server.sent("test_workflow")[1]).toMatchObject({ until_step: "wait" }));
});

test("the test shortcut asks for a selection when no step is selected", async () => {
  const editor = await renderEditor();
  await editor.user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
  await screen.findByText(/Select the step/);
  expect(editor.server.sent("test_workflow")).toEqual([]);
});

test("the publish shortcut explains why there is nothing to publish", async () => {
  const editor = await renderEditor({ isReadOnly: true });
  await editor.user.keyboard("{Control>}{Shift>}p{/Shift}{/Control}");
  await screen.findByText(/editor role/);
});

test("a viewer's keys select and open, but change nothing", async () => {
  const editor = await renderEditor({ isReadOnly: true });
  const before = editor.editor.getState().definition;
  card("Wait").focus();
  await editor.user.keyboard("{Control>}ad{/Control}{Delete}{Alt>}{ArrowRight}{/Alt}n");
  fireEvent.paste(card("Wait"), { clipboardData: { getData: () => JSON.stringify(before) } });
  expect(editor.editor.getState().definition).toBe(before);
  expect(screen.queryByRole("combobox")).toBeNull();
  expect(selectedSteps()).toHaveLength(3);
});
