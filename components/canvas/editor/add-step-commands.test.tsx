import { act, fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { eventually } from "#lib/support/eventually.fixture";
import { createQueryClient } from "@/components/api/query-client";
import { appsConnectedTo } from "@/components/canvas/catalog/catalog.fixture";
import { loadAddCommands } from "@/components/canvas/editor/add-step-commands";
import { card, drawnSteps, renderEditor } from "@/components/canvas/editor/render-editor.fixture";
import { answerLists } from "@/components/canvas/kinds/answer-lists.fixture";
import { loadPageSearches } from "@/components/shell/command-sources";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { idOf } from "@/components/testing/page.fixture";

type Schema = WebOperations["get_operation_schema"]["output"];
const apps = appsConnectedTo("telegram", "Support bot");

/** Answers what the palette and the form of an added operation ask for. */
function prepare(server: FakeServer): void {
  answerLists(server);
  server.answer("list_step_catalog", { data: apps });
  server.answer("get_connector_operations", { data: [], has_more: false, next_cursor: null });
  server.answer("get_operation_schema", { params_schema: { type: "object" } } as Partial<Schema> as Schema);
}

async function openEditor() {
  const page = await renderEditor({ prepare });
  const [search] = await loadPageSearches();
  if (search === undefined) throw new Error("the canvas offers no search");
  return { ...page, search };
}

test("the palette of a canvas finds the operations of apps and adds them after the selected step", async () => {
  const { editor, search } = await openEditor();
  fireEvent.click(card("Wait"));
  const [command] = search("telegarm send");
  expect(command).toMatchObject({ label: "Add Telegram: Send a message", group: "Add a step" });
  command?.run();
  await eventually(() => expect(drawnSteps()).toContain("Send a message"));
  const { definition } = editor.getState();
  expect(definition.nodes.at(-1)?.data).toMatchObject({ connector: "telegram", connection_id: idOf(1) });
  expect(definition.edges.map(({ source, target }) => [source, target])).toEqual([
    ["start", "wait"],
    ["wait", "send_a_message"],
    ["send_a_message", "end"],
  ]);
});

test("an app or a connection in the palette opens the picker with its operations, and the step gets the connection", async () => {
  const { editor, search, user } = await openEditor();
  fireEvent.click(card("Wait"));
  expect(search("telegram")[0]?.label).toBe("Add from Telegram…");
  const [command] = search("support bot");
  expect(command?.label).toBe("Add from Support bot…");
  act(() => command?.run());
  const field = await screen.findByRole("combobox", { name: "Search steps" });
  expect(field.getAttribute("placeholder")).toBe("Search Telegram");
  await user.type(field, "send a message{Enter}");
  await eventually(() => expect(drawnSteps()).toContain("Send a message"));
  expect(editor.getState().definition.nodes.at(-1)?.data).toMatchObject({ connection_id: idOf(1) });
});

test("without a query the palette offers the most used kinds, and never what can't be added", async () => {
  const { search } = await openEditor();
  fireEvent.click(card("Wait"));
  const labels = search("").map(({ label }) => label);
  expect(labels).toContain("Add HTTP request");
  // Nothing can follow it, so it fits into no line.
  expect(labels).not.toContain("Add Return Output");
  expect(search("webhook").map(({ label }) => label)).not.toContain("Add Webhook");
});

test("a viewer is offered nothing to add", async () => {
  const { editor } = await openEditor();
  editor.setState({ isReadOnly: true });
  const search = await loadAddCommands(createQueryClient(), editor, {
    findSpot: () => ({ kind: "free", position: { x: 0, y: 0 } }),
    openApp: () => undefined,
  });
  expect(search("delay")).toEqual([]);
});
