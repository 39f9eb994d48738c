import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { MissingPart } from "#lib/contract/workflow/workflow";
import { eventually } from "#lib/support/eventually.fixture";
import { ImportDialog } from "@/components/features/workflows/import-dialog";
import { idOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { sampleWorkflow } from "@/components/testing/workflow.fixture";

const DOCUMENT = JSON.stringify({ name: "Refunds", definition: { nodes: [], edges: [] } });

async function importWith(missing: MissingPart[]) {
  const page = renderPage(<ImportDialog onClose={vi.fn()} />);
  const workflow = {
    ...sampleWorkflow(),
    shown: "draft" as const,
    definition: { nodes: [], edges: [] },
    notes: [],
    problems: [],
    input_schema: null,
    output_schema: null,
    versions: [],
  };
  page.server.answer("import_workflow", { workflow, missing });
  fireEvent.change(screen.getByRole("textbox", { name: "Document" }), { target: { value: DOCUMENT } });
  await page.user.click(screen.getByRole("button", { name: "Import" }));
  return page;
}

test("an import with nothing missing opens the canvas", async () => {
  const { router } = await importWith([]);
  await eventually(() => expect(router.push).toHaveBeenCalledWith(`/workflows/${idOf(1)}`));
});

test("an import with missing parts lists them before the canvas opens", async () => {
  const { router } = await importWith([
    { node_id: "shop", kind: "connection", message: "The step Shop needs a connection" },
    { node_id: "sign", kind: "secret", message: "The secret of Sign was left out" },
  ]);
  await screen.findByRole("dialog", { name: "“Refunds” imported" });
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "The step Shop needs a connection.",
    "The secret of Sign was left out.",
  ]);
  expect(screen.getByRole("link", { name: "Open canvas" }).getAttribute("href")).toBe(`/workflows/${idOf(1)}`);
  expect(router.push).not.toHaveBeenCalled();
  await expectAccessible();
});

test("the text of a chosen file becomes the document", async () => {
  const { user } = renderPage(<ImportDialog onClose={vi.fn()} />);
  await user.upload(screen.getByLabelText(/^File/), new File([DOCUMENT], "refunds.json", { type: "application/json" }));
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Document" });
  await eventually(() => expect(field.value).toBe(DOCUMENT));
});
