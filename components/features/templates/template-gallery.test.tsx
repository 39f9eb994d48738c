import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
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
  starts: "call",
  needs: [],
  sample_input: { text: "hello" },
  definition: { nodes: [], edges: [] },
};
const MAIL: TemplateObject = { ...READY, template_id: "mail", name: "Mail", needs: ["A mail connection"] };

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

function renderGallery(role: Role = "editor") {
  return renderPage(<TemplateGallery />, {
    session: { role },
    prepare: (server) => server.answer("list_templates", { data: [READY, MAIL] }),
  });
}

test("a template shows what it does, how it starts and what it needs", async () => {
  renderGallery();
  await screen.findByRole("listitem", { name: /Mail/ });
  screen.getByText("Needs: a mail connection.");
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
  renderGallery("viewer");
  await screen.findByRole("listitem", { name: /Echo/ });
  expect(screen.queryByRole("button")).toBeNull();
});
