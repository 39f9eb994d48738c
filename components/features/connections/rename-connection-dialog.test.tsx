import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { RenameConnectionDialog } from "@/components/features/connections/rename-connection-dialog";
import { describedBy, expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { CONNECTION } from "@/components/testing/sample-objects.fixture";

function renderDialog() {
  const onClose = vi.fn();
  const page = renderPage(<RenameConnectionDialog subject={CONNECTION} onClose={onClose} />);
  const name = screen.getByRole("textbox", { name: "Name" });
  return { ...page, onClose, name, rename: screen.getByRole("button", { name: "Rename" }) };
}

test("a name is trimmed and sent once, and the dialog closes", async () => {
  const { user, server, onClose, name } = renderDialog();
  server.answer("rename_connection", CONNECTION);
  await user.clear(name);
  await user.type(name, " Store ");
  const form = name.closest("form");
  if (form === null) throw new Error("The field is in no form.");
  // Presses Enter twice before the first render: no button is busy yet.
  fireEvent.submit(form);
  fireEvent.submit(form);
  await eventually(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(server.sent("rename_connection")).toEqual([{ connection_id: CONNECTION.connection_id, name: "Store" }]);
});

test("a refused name is marked, gets the focus, and the error clears when it is corrected", async () => {
  const { user, server, onClose, name, rename } = renderDialog();
  server.refuse("rename_connection", {
    code: "BAD_REQUEST",
    message: "name: must be unusual",
    details: [{ field: "name", pointer: "/name", code: "custom", message: "must be unusual" }],
  });
  await user.click(rename);
  await eventually(() => expect(describedBy(name)).toBe("Must be unusual."));
  await expectFocus(name);
  expect(onClose).not.toHaveBeenCalled();
  await expectAccessible();
  await user.type(name, "!");
  await eventually(() => expect(name.getAttribute("aria-invalid")).toBeNull());
});

test("while offline, the form says so at once, keeps the text and can be sent later", async () => {
  const { user, server, onClose, name, rename } = renderDialog();
  server.answer("rename_connection", CONNECTION);
  server.goOffline();
  await user.type(name, " 2");
  await user.click(rename);
  await eventually(() => expect(describedBy(name)).toContain("You're offline."));
  server.goOnline();
  await user.click(rename);
  await eventually(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(server.sent("rename_connection")).toEqual([{ connection_id: CONNECTION.connection_id, name: "Shop 2" }]);
});
