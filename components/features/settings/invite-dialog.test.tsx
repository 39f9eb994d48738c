import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { InviteDialog } from "@/components/features/settings/invite-dialog";
import { describedBy, renderPage } from "@/components/testing/render-page.fixture";

const NEW = { email: "", role: "editor" } as const;

test("an invite needs a valid address, and a refusal is shown below the form", async () => {
  const { user, server } = renderPage(<InviteDialog {...NEW} onClose={vi.fn()} onInvited={vi.fn()} />);
  server.refuse("create_invite", { code: "ALREADY_MEMBER", message: "Bob belongs to the workspace already." });
  const email = screen.getByRole("textbox", { name: "Email" });
  const make = screen.getByRole("button", { name: "Create link" });
  await user.click(make);
  await eventually(() => expect(describedBy(email)).toBe("Enter an email address."));
  await user.type(email, "bob");
  await eventually(() => expect(describedBy(email)).toBe("Must be an email address such as ann@example.com."));
  expect(server.sent("create_invite")).toEqual([]);
  await user.type(email, "@example.com");
  await user.selectOptions(screen.getByRole("combobox", { name: "Role" }), "viewer");
  await user.click(make);
  expect((await screen.findByRole("alert")).textContent).toBe("Bob belongs to the workspace already.");
  expect(server.sent("create_invite")).toEqual([{ email: "bob@example.com", role: "viewer" }]);
});
