import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ConnectorKindObject } from "#lib/contract/connection/connection";
import type { TemplateObject } from "#lib/contract/workflow/template";
import type { WorkflowDetailObject } from "#lib/contract/workflow/workflow";
import type { Role } from "#lib/contract/workspace/roles";
import { eventually } from "#lib/support/eventually.fixture";
import { TemplateGallery } from "@/components/features/templates/template-gallery";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { RUN, WORKFLOW } from "@/components/testing/sample-objects.fixture";

const READY: TemplateObject = {
  template_id: "echo",
  name: "Echo",
  about: "Returns its input.",
  purpose: "basics",
  starts: "call",
  needs: [],
  sample_input: { text: "hello" },
  definition: { nodes: [], edges: [] },
};
const MAIL: TemplateObject = {
  ...READY,
  template_id: "mail",
  name: "Mail",
  purpose: "support",
  needs: ["A mail connection"],
  definition: {
    nodes: [
      { id: "new", type: "trigger", position: { x: 0, y: 0 }, data: { kind: "connector", connector: "email" } },
      { id: "answer", type: "connector", position: { x: 0, y: 140 }, data: { connector: "email", operation: "send" } },
      { id: "post", type: "connector", position: { x: 0, y: 280 }, data: { connector: "telegram" } },
    ],
    edges: [],
  },
};

const CREATED: WorkflowDetailObject = {
  ...WORKFLOW,
  workflow_id: idOf(1),
  shown: "draft",
  definition: READY.definition,
  problems: [],
  input_schema: null,
  output_schema: null,
  versions: [],
};

const KINDS = [
  { connector: "email", name: "Email" },
  { connector: "telegram", name: "Telegram" },
] as ConnectorKindObject[];

function renderGallery({ role = "editor", address = "/templates" }: { role?: Role; address?: string } = {}) {
  return renderPage(<TemplateGallery />, {
    session: { role },
    address,
    prepare: (server) => {
      server.answer("list_templates", { data: [READY, MAIL] });
      server.answer("list_connection_kinds", { data: KINDS });
    },
  });
}

/** Waits until the cards are shown that have these names. */
async function shows(...names: string[]) {
  await eventually(() =>
    expect(screen.queryAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual(names),
  );
}

test("a template shows what it does, how it starts and what it needs", async () => {
  renderGallery();
  await screen.findByRole("listitem", { name: /Mail/ });
  screen.getByText("Needs: a mail connection.");
  await screen.findByText("Support · Email · Telegram");
  await screen.findByRole("img", { name: "Drawing of Echo" });
  await expectAccessible();
});

test("using a template creates a workflow from it and opens the canvas", async () => {
  const { user, server, router } = renderGallery();
  server.answer("create_workflow", CREATED);
  await user.click(await screen.findByRole("button", { name: /^Use template\s*: Echo$/ }));
  await eventually(() => expect(router.push).toHaveBeenCalledWith(`/workflows/${idOf(1)}`));
  const { name, about, definition } = READY;
  expect(server.sent("create_workflow")).toEqual([{ name, description: about, definition }]);
});

test("only a template that needs no connection can run at once, with its sample input", async () => {
  const { user, server, router } = renderGallery();
  server.answer("create_workflow", CREATED);
  server.answer("test_workflow", { ...RUN, run_id: idOf(2) });
  const [run, ...others] = await screen.findAllByRole("button", { name: /^Use and run it once/ });
  expect(others).toEqual([]);
  if (run !== undefined) await user.click(run);
  await eventually(() => expect(router.push).toHaveBeenCalledWith(`/runs/${idOf(2)}`));
  expect(server.sent("test_workflow")).toEqual([{ workflow_id: idOf(1), input: { text: "hello" } }]);
});

test("a failed use of a template shows the reason, and the template can be used again", async () => {
  const { user, server, router } = renderGallery();
  server.refuse("create_workflow", { code: "BAD_REQUEST", message: "There are too many workflows." });
  const use = await screen.findByRole("button", { name: /^Use template\s*: Echo$/ });
  await user.click(use);
  await screen.findByText("There are too many workflows.");
  await eventually(() => expect(use.hasAttribute("disabled")).toBe(false));
  expect(router.push).not.toHaveBeenCalled();
});

test("a viewer sees the templates without a button to use them", async () => {
  renderGallery({ role: "viewer" });
  const card = await screen.findByRole("listitem", { name: /Echo/ });
  expect(within(card).queryByRole("button")).toBeNull();
});

test.each([
  ["telegram", "MailCalled"],
  ["SUPPORT mail", "MailCalled"],
  ["support echo", "No results"],
])("a search for %s finds the templates that contain all its words", async (words, found) => {
  const { user } = renderGallery();
  await shows("EchoCalled", "MailCalled");
  await user.keyboard("/");
  expect(document.activeElement).toBe(screen.getByRole("searchbox", { name: "Search templates" }));
  await user.keyboard(`${words}{Enter}`);
  await shows(found);
  expect(new URLSearchParams(window.location.search).get("q")).toBe(words);
});

test("a purpose and an app each narrow the templates, and the address keeps the choice", async () => {
  const { user } = renderGallery();
  await user.click(await screen.findByRole("button", { name: "Basics" }));
  await shows("EchoCalled");
  await user.click(await screen.findByRole("button", { name: "Telegram" }));
  await shows("No results");
  expect(window.location.search).toBe("?purpose=basics&app=telegram");
  await expectAccessible();
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  await shows("EchoCalled", "MailCalled");
  expect(window.location.search).toBe("");
});

test("an address with filters shows the templates that match, and which filters are chosen", async () => {
  renderGallery({ address: "/templates?app=email&purpose=support" });
  await shows("MailCalled");
  const pressed = (await screen.findAllByRole("button", { pressed: true })).map(({ textContent }) => textContent);
  expect(pressed).toEqual(["Support", "Email"]);
  screen.getByText("1 template");
});
