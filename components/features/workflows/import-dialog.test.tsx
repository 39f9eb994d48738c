import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { ImportDialog } from "@/components/features/workflows/import-dialog";
import { describedBy, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

test("a document that is not JSON or not a workflow is not sent, and the error names its place", async () => {
  const { user, server } = renderPage(<ImportDialog onClose={vi.fn()} />);
  server.refuse("import_workflow", { code: "FORBIDDEN", message: "You need the editor role." });
  const field = screen.getByRole("textbox", { name: "Document" });
  const send = screen.getByRole("button", { name: "Import" });
  await user.click(send);
  await eventually(() => expect(describedBy(field)).toBe("Choose a file or paste its text."));
  await expectFocus(field);
  fireEvent.change(field, { target: { value: "{" } });
  await eventually(() => expect(describedBy(field)).toMatch(/^This isn't valid JSON: /));
  fireEvent.change(field, { target: { value: '{"name": "", "definition": {"nodes": [], "edges": []}}' } });
  await eventually(() => expect(describedBy(field)).toMatch(/^document\.name: /));
  expect(server.sent("import_workflow")).toEqual([]);
  const document = { name: "Refunds", definition: { nodes: [], edges: [] } };
  fireEvent.change(field, { target: { value: JSON.stringify(document) } });
  await user.click(send);
  await screen.findByText("You need the editor role.");
  expect(server.sent("import_workflow")).toEqual([{ document }]);
});
