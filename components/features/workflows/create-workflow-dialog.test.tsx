import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { CreateWorkflowDialog } from "@/components/features/workflows/create-workflow-dialog";
import { describedBy, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

test("a workflow needs a name and sends its chosen trigger, and an empty description is omitted", async () => {
  const { user, server } = renderPage(<CreateWorkflowDialog onClose={vi.fn()} />);
  server.refuse("create_workflow", { code: "FORBIDDEN", message: "You need the editor role." });
  const name = screen.getByRole("textbox", { name: "Name" });
  const create = screen.getByRole("button", { name: "Create and open" });
  await user.click(create);
  await eventually(() => expect(describedBy(name)).toBe("Enter a name for the workflow."));
  await expectFocus(name);
  await user.type(name, "Refunds");
  await eventually(() => expect(name.getAttribute("aria-invalid")).toBeNull());
  await user.click(screen.getByRole("radio", { name: /A schedule/ }));
  await user.click(create);
  await screen.findByText("You need the editor role.");
  const [sent] = server.sent("create_workflow");
  expect(sent).toMatchObject({ name: "Refunds", definition: { nodes: [{ type: "trigger" }] } });
  expect(sent).not.toHaveProperty("description");
});
