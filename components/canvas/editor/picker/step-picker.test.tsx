import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { CatalogApp } from "#lib/contract/connector/connector";
import { STEP_KINDS, STEP_TYPES } from "#lib/core/steps/step-kinds";
import { eventually } from "#lib/support/eventually.fixture";
import {
  appsConnectedTo,
  BILLING_APP,
  BUILT_IN_APPS,
  REFUND_ACTION,
} from "@/components/canvas/catalog/catalog.fixture";
import { COMMON_KINDS } from "@/components/canvas/catalog/list-kind-entries";
import type { InsertSpot } from "@/components/canvas/document/insert-spot";
import { testNode } from "@/components/canvas/document/test-definition";
import { StepPicker } from "@/components/canvas/editor/picker/step-picker";
import { DraftProvider } from "@/components/canvas/store/draft-context";
import { openSession } from "@/components/canvas/store/open-session.fixture";
import type { FakeServer } from "@/components/testing/fake-server.fixture";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

const AFTER_START = { kind: "after", source: "start", sourceHandle: null } as const;
const START = testNode("start", "action_input", 0, 0, { properties: [] });
const CONDITION = testNode("check", "condition", 0, 200, { name: "Over 500" });

interface PickerOptions {
  apps?: readonly CatalogApp[];
  spot?: InsertSpot;
  nodes?: (typeof START)[];
  prepare?: (server: FakeServer) => void;
}

/** Opens the picker, after the Action Input if nothing else is given. */
async function openPicker({ apps = BUILT_IN_APPS, spot = AFTER_START, nodes = [START], prepare }: PickerOptions = {}) {
  const session = openSession([...nodes]);
  session.editor.getState().openPicker({ spot, anchor: { x: 0, y: 0 } });
  const page = renderPage(
    <DraftProvider session={session}>
      <StepPicker />
    </DraftProvider>,
    {
      prepare: (server) => {
        server.answer("list_step_catalog", { data: [...apps] });
        server.answer("list_actions", pageOf([REFUND_ACTION]));
        prepare?.(server);
      },
    },
  );
  const search = screen.getByRole("combobox", { name: "Search steps" });
  if (prepare === undefined) await findSection("Apps");
  const added = () =>
    session.editor.getState().definition.nodes.filter(({ id }) => !nodes.some((own) => own.id === id));
  return { ...page, session, search, added };
}

// By selector, because a search by role computes the name of every option.
const options = () => [...document.querySelectorAll<HTMLElement>("[role=option]")];
const textsOf = (list: HTMLElement[]) => list.map(({ textContent }) => textContent);
const active = () => document.querySelector("[role=option][aria-selected=true]")?.textContent ?? "";
const optionWith = (text: string) => options().find(({ textContent }) => textContent === text);
const findSection = (title: string) => screen.findByText(title, { selector: "p[role=presentation]" });
const optionsIn = async (title: string) => {
  const section = (await findSection(title)).closest("fieldset");
  return options().filter((option) => section?.contains(option));
};

describe("the overview", () => {
  test("lists every step kind and explains why one can't be added", async () => {
    await openPicker();
    for (const type of STEP_TYPES.filter((each) => each !== "trigger")) {
      const { title, description, hasInput } = STEP_KINDS[type];
      const option = optionWith(`${title} ${hasInput ? description : "Already in this workflow"}`);
      expect(option?.getAttribute("aria-disabled")).toBe(String(!hasInput));
    }
    for (const start of ["Webhook", "Schedule", "Event"])
      expect(optionWith(`${start} This workflow already has a start step`)).toBeDefined();
  });

  test("lists the apps before the steps, and the 8 most used kinds first among these", async () => {
    await openPicker();
    await findSection("Your actions");
    const titles = [...document.querySelectorAll<HTMLElement>("p[role=presentation]")];
    expect(textsOf(titles)).toEqual(["Apps", "Steps", "Your actions", "Ready-made groups", "Not available here"]);
    const names = textsOf(await optionsIn("Steps")).slice(0, 8);
    for (const [place, type] of COMMON_KINDS.entries()) expect(names[place]).toContain(STEP_KINDS[type].title);
  });

  test("offers what a workflow starts with first, while it has no start", async () => {
    await openPicker({ nodes: [], spot: { kind: "free", position: { x: 0, y: 0 } } });
    const firstWords = textsOf(options()).map((text) => text?.split(" ")[0]);
    expect(firstWords.slice(0, 4)).toEqual(["Action", "Webhook", "Schedule", "Form"]);
  });

  test("keeps the step kinds usable while the apps can't be loaded, and loads them again on request", async () => {
    const page = await openPicker({
      prepare: (server) => server.refuse("list_step_catalog", { code: "INTERNAL_ERROR", message: "It did not work." }),
    });
    await screen.findByText("Couldn't load the apps.");
    expect(textsOf(await optionsIn("Steps"))).toContainEqual(expect.stringMatching(/^Condition/));
    page.server.answer("list_step_catalog", { data: [...BUILT_IN_APPS] });
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    await findSection("Apps");
  });

  test("is accessible, opens on its search and names its place", async () => {
    const { search } = await openPicker({
      nodes: [START, CONDITION],
      spot: { kind: "after", source: "check", sourceHandle: "false" },
    });
    await expectFocus(search);
    await expectAccessible(screen.getByRole("dialog", { name: "Add after Over 500, branch False" }));
  });
});

describe("the search", () => {
  test("Enter adds the kind that the search found, with its defaults, and connects it", async () => {
    const { user, session, search } = await openPicker();
    await user.type(search, "keep items{Enter}");
    const { definition, selectedNodeIds, picker } = session.editor.getState();
    const added = definition.nodes.find((node) => node.type === "filter");
    expect(added?.data).toEqual({ name: "Filter", ...STEP_KINDS.filter.newData() });
    expect(definition.edges.map(({ source, target }) => [source, target])).toEqual([["start", "filter"]]);
    expect([selectedNodeIds, picker]).toEqual([["filter"], null]);
  });

  test("Enter adds an operation with its connector, its only connection and its name", async () => {
    const { user, search, added } = await openPicker({ apps: appsConnectedTo("telegram", "Support bot") });
    await user.type(search, "telegram send");
    await eventually(() => expect(active()).toMatch(/^Telegram: Send a message/));
    await user.keyboard("{Enter}");
    expect(added().map(({ id, type, data }) => ({ id, type, data }))).toEqual([
      {
        id: "send_a_message",
        type: "connector",
        data: {
          name: "Send a message",
          connector: "telegram",
          operation: "send_message",
          connection_id: idOf(1),
          params: {},
        },
      },
    ]);
  });

  test("an operation gets no connection when several fit", async () => {
    const { user, search, added } = await openPicker({ apps: appsConnectedTo("telegram", "Support bot", "Sales bot") });
    await user.type(search, "telegram send{Enter}");
    expect(added()[0]?.data).not.toHaveProperty("connection_id");
  });

  test("a chosen connection lists the operations of its app, and the step gets it", async () => {
    const { user, search, added } = await openPicker({ apps: appsConnectedTo("telegram", "Support bot", "Sales bot") });
    await user.type(search, "sales bot{Enter}");
    await user.type(search, "send a message{Enter}");
    expect(added()[0]?.data).toMatchObject({ operation: "send_message", connection_id: idOf(2) });
  });

  test("an operation of a connector that the workspace built is found by its name", async () => {
    const { user, search, added } = await openPicker({ apps: [...BUILT_IN_APPS, BILLING_APP] });
    await user.type(search, "invoice{Enter}");
    expect(added()[0]?.data).toMatchObject({ connector: "billing-api", operation: "create_invoice" });
  });

  test("a published action becomes a step that runs it, with the names of its input", async () => {
    const { user, search, added } = await openPicker();
    await findSection("Your actions");
    await user.type(search, "refund an order{Enter}");
    expect(added()[0]).toMatchObject({
      type: "sub_workflow",
      data: { name: "Refund an order", action_slug: "refund-order", input: { order_id: "", amount: "" } },
    });
  });

  test("a group of steps arrives connected, and the line that it splits continues behind it", async () => {
    const end = testNode("end", "return_output", 0, 400, { name: "Finish", properties: [] });
    const { user, search, session } = await openPicker({
      nodes: [START, end],
      spot: { kind: "edge", edgeId: "start-end" },
    });
    await user.type(search, "approval above limit{Enter}");
    const { edges } = session.editor.getState().definition;
    expect(edges.map(({ source, sourceHandle, target }) => [source, sourceHandle ?? null, target])).toEqual([
      ["start", null, "is_large"],
      ["is_large", "true", "approval"],
      ["approval", "approved", "end"],
    ]);
    const steps = session.editor.temporal.getState().pastStates;
    expect(steps).toHaveLength(1);
  });

  test("says that nothing matches", async () => {
    const { user, search } = await openPicker();
    await user.type(search, "qqqqzzzz");
    await screen.findByText("No step matches “qqqqzzzz”.");
    expect(textsOf(options())).toEqual([expect.stringMatching(/^HTTP request/), expect.stringMatching(/^MCP server/)]);
    expect(screen.getByRole("link", { name: "build a connector" }).getAttribute("href")).toBe("/connections/build");
    await expectAccessible();
  });

  test("a service that no app is for can be called at once: Enter adds an HTTP request", async () => {
    const { user, search, added } = await openPicker();
    await user.type(search, "slack");
    await screen.findByText("No step matches “slack”.");
    await user.keyboard("{Enter}");
    expect(added().map(({ type, data }) => [type, data.connector])).toEqual([["connector", "http"]]);
  });
});

describe("the keyboard", () => {
  test("the arrows move from group to group and around the ends, and the focus stays in the search", async () => {
    const { user, search } = await openPicker();
    const first = active();
    await user.keyboard("{ArrowUp}");
    expect(active()).toBe(options().at(-1)?.textContent);
    await user.keyboard("{ArrowDown}");
    expect(active()).toBe(first);
    const apps = await optionsIn("Apps");
    await user.keyboard("{ArrowDown}".repeat(apps.length));
    expect(active()).toContain("HTTP request");
    const { id } = options().find((option) => option.getAttribute("aria-selected") === "true") ?? {};
    expect(search.getAttribute("aria-activedescendant")).toBe(id);
    await expectFocus(search);
  });

  test("ArrowRight opens the operations of an app, and ArrowLeft leaves them", async () => {
    const { user, search } = await openPicker();
    await user.type(search, "telegram");
    await eventually(() => expect(active()).toMatch(/^Telegram/));
    await user.keyboard("{ArrowRight}");
    await eventually(() => expect(active()).toMatch(/^Send a message/));
    expect(search.getAttribute("placeholder")).toBe("Search Telegram");
    await user.type(search, "picture");
    await eventually(() => expect(active()).toMatch(/^Send a picture/));
    await user.clear(search);
    await user.keyboard("{ArrowLeft}");
    await findSection("Steps");
  });

  test("ArrowRight inside a word moves the cursor", async () => {
    const { user, search } = await openPicker();
    await user.type(search, "telegram{ArrowLeft}{ArrowRight}");
    expect(search.getAttribute("placeholder")).toBe("Search apps and steps");
    await user.keyboard("{ArrowRight}");
    expect(search.getAttribute("placeholder")).toBe("Search Telegram");
  });

  test("Escape closes the picker and adds nothing", async () => {
    const { user, session } = await openPicker();
    await user.keyboard("{Escape}");
    expect(session.editor.getState().picker).toBeNull();
    expect(session.editor.getState().definition.nodes).toHaveLength(1);
  });
});

test("the last choices come first the next time, without those that don't fit", async () => {
  const first = await openPicker();
  await first.user.type(first.search, "filter{Enter}");
  first.unmount();
  await openPicker();
  expect(textsOf(await optionsIn("Recent"))).toEqual([expect.stringMatching(/^Filter/)]);
});

test("a category shows only its part of the catalog", async () => {
  const { user, search } = await openPicker({ apps: [...BUILT_IN_APPS, BILLING_APP] });
  await user.click(screen.getByRole("button", { name: "Yours" }));
  await expectFocus(search);
  expect(textsOf(options()).map((text) => text?.split(" ")[0])).toEqual(["Billing", "Billing:", "Refund"]);
});
