import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { CreateWorkspaceDialog } from "@/components/pages/frame/create-workspace-dialog";
import { describedBy, expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

function renderDialog() {
  const page = renderPage(<CreateWorkspaceDialog onClose={vi.fn()} />);
  const name = screen.getByRole("textbox", { name: "Name" });
  const create = screen.getByRole("button", { name: "Create workspace" });
  return { ...page, name, create };
}

test("a workspace without a name is not sent, and the field says what is missing", async () => {
  const { user, server, name, create } = renderDialog();
  await user.click(create);
  await eventually(() => expect(describedBy(name)).toContain("Enter a name for the workspace."));
  expect(name.getAttribute("aria-invalid")).toBe("true");
  expect(server.sent("create_workspace")).toEqual([]);
  await expectAccessible();
});

test("a slow answer leaves the button busy, and a second click sends nothing", async () => {
  const { user, server, name, create } = renderDialog();
  server.refuse("create_workspace", { code: "QUOTA_EXCEEDED", message: "You own three workspaces already." });
  const release = server.hold("create_workspace");
  await user.type(name, "Second");
  await user.click(create);
  await eventually(() => expect(create.getAttribute("aria-busy")).toBe("true"));
  await user.click(create);
  expect(server.sent("create_workspace")).toEqual([{ name: "Second", time_zone: "UTC" }]);
  release();
  await screen.findByText("You own three workspaces already.");
});
