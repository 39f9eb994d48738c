import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { CommandPalette } from "@/components/pages/palette/command-palette";
import { type PaletteCommand, useCommandSource } from "@/components/shell/command-sources";
import { sampleAction } from "@/components/testing/action.fixture";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { sampleRun } from "@/components/testing/run.fixture";
import { callableWorkflow } from "@/components/testing/workflow.fixture";

/** A page that offers commands of its own. */
function PageWithCommands({ commands }: { commands: readonly PaletteCommand[] }) {
  useCommandSource(() => commands);
  return <button type="button">On the page</button>;
}

function renderPalette(commands: readonly PaletteCommand[] = []) {
  return renderPage(
    <>
      <PageWithCommands commands={commands} />
      <CommandPalette />
    </>,
    {
      prepare: (server) => {
        server.answer("list_workflows", pageOf([callableWorkflow()]));
        server.answer("list_actions", pageOf([sampleAction({ status: "paused" })]));
        server.answer("list_runs", pageOf([sampleRun()]));
      },
    },
  );
}

async function openPalette({ user }: ReturnType<typeof renderPage>) {
  await user.keyboard("{Control>}k{/Control}");
  return screen.findByRole("combobox");
}

const chosen = () => screen.getByRole("option", { selected: true }).textContent;

test("the palette opens with the focus in its search, and names itself", async () => {
  const page = renderPalette();
  const search = await openPalette(page);
  await expectFocus(search);
  screen.getByRole("dialog", { name: "Command palette" });
  await screen.findByRole("option", { name: /^Refunds/ });
  await expectAccessible(screen.getByRole("dialog"));
});

test("the same key closes the palette, and the focus goes back to where it was", async () => {
  const page = renderPalette();
  const before = screen.getByRole("button", { name: "On the page" });
  before.focus();
  await openPalette(page);
  await page.user.keyboard("{Control>}k{/Control}");
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
  await expectFocus(before);
});

test("Escape closes the palette without running anything", async () => {
  const run = vi.fn();
  const page = renderPalette([{ id: "save", label: "Save the draft", group: "This page", run }]);
  await openPalette(page);
  await page.user.keyboard("{Escape}");
  await eventually(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(run).not.toHaveBeenCalled();
});

test("the palette opens from a field, where a letter alone would be typed", async () => {
  const page = renderPage(
    <>
      <input aria-label="A field" />
      <CommandPalette />
    </>,
    {
      prepare: (server) => {
        server.answer("list_workflows", pageOf([callableWorkflow()]));
        server.answer("list_actions", pageOf([sampleAction()]));
        server.answer("list_runs", pageOf([sampleRun()]));
      },
    },
  );
  await page.user.click(screen.getByRole("textbox", { name: "A field" }));
  await openPalette(page);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "A field", hidden: true }).value).toBe("");
});

test("commands of the open page come first and run with Enter", async () => {
  const run = vi.fn();
  const page = renderPalette([{ id: "save", label: "Save the draft", group: "This page", hint: "⌘S", run }]);
  await openPalette(page);
  expect(chosen()).toMatch(/^Save the draft/);
  await page.user.keyboard("{Enter}");
  expect(run).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("commands of a page disappear with the page", async () => {
  const page = renderPalette([{ id: "save", label: "Save the draft", group: "This page", run: vi.fn() }]);
  page.unmount();
  const next = renderPalette();
  await openPalette(next);
  expect(screen.queryByRole("option", { name: /^Save the draft/ })).toBeNull();
});

test("the arrows move through the commands and wrap around", async () => {
  const page = renderPalette([
    { id: "one", label: "First command", group: "This page", run: vi.fn() },
    { id: "two", label: "Second command", group: "This page", run: vi.fn() },
  ]);
  const search = await openPalette(page);
  await page.user.type(search, "command this page");
  expect(chosen()).toBe("First command");
  await page.user.keyboard("{ArrowDown}");
  expect(chosen()).toBe("Second command");
  await page.user.keyboard("{ArrowDown}");
  expect(chosen()).toBe("First command");
  await page.user.keyboard("{ArrowUp}");
  expect(chosen()).toBe("Second command");
  await expectFocus(search);
});

test("typing chooses the first match again", async () => {
  const page = renderPalette();
  const search = await openPalette(page);
  await screen.findByRole("option", { name: /^Refunds/ });
  await page.user.keyboard("{ArrowDown}{ArrowDown}");
  await page.user.type(search, "usage");
  await eventually(() => expect(chosen()).toMatch(/^Usage/));
});

test("pointing at a command selects it, and a click runs it", async () => {
  const page = renderPalette();
  await openPalette(page);
  const keys = await screen.findByRole("option", { name: /^API keys/ });
  await page.user.hover(keys);
  expect(keys.getAttribute("aria-selected")).toBe("true");
  await page.user.click(keys);
  expect(page.router.push).toHaveBeenCalledExactlyOnceWith("/keys");
});

test("an action shows its state and is found by the name of its workflow", async () => {
  const page = renderPalette();
  const search = await openPalette(page);
  await page.user.type(search, "refunds actions");
  const option = await screen.findByRole("option", { name: /^refund ?paused$/i });
  await page.user.click(option);
  expect(page.router.push).toHaveBeenCalledExactlyOnceWith("/actions/refund");
});

test("the latest runs are offered with their outcome", async () => {
  const page = renderPalette();
  await openPalette(page);
  const option = await screen.findByRole("option", { name: /refund.*succeeded/i });
  await page.user.click(option);
  expect(page.router.push).toHaveBeenCalledExactlyOnceWith(`/runs/${idOf(1)}`);
});

test("the server gets the typed text, up to 200 characters of it", async () => {
  const page = renderPalette();
  const search = await openPalette(page);
  await page.user.click(search);
  await page.user.paste(`  ${"x".repeat(250)}  `);
  await eventually(() => expect(page.server.sent("list_workflows").at(-1)?.q).toBe("x".repeat(200)));
  expect(page.server.sent("list_actions").at(-1)?.q).toBe("x".repeat(200));
});

test("commands are still offered when the server does not answer", async () => {
  const page = renderPage(<CommandPalette />, {
    prepare: (server) => {
      for (const name of ["list_workflows", "list_actions", "list_runs"] as const) {
        server.refuse(name, { code: "INTERNAL_ERROR", message: "It did not work." });
      }
    },
  });
  await openPalette(page);
  const list = within(screen.getByRole("listbox"));
  list.getByRole("option", { name: /^Workflows/ });
  list.getByRole("option", { name: /^Settings/ });
});
