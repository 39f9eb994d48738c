import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { PasswordForm } from "@/components/features/settings/password-form";
import { ProfileForm } from "@/components/features/settings/profile-form";
import { describedBy, expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

test("a name is required, and saved", async () => {
  const { user, server } = renderPage(<ProfileForm />);
  server.answer("update_account", { user_id: "u", name: "Anna", email: "ann@example.com" });
  const name = screen.getByRole("textbox", { name: "Your name" });
  const save = screen.getByRole("button", { name: "Save name" });
  await user.clear(name);
  await user.click(save);
  await eventually(() => expect(describedBy(name)).toMatch(/Enter your name\.$/));
  await user.type(name, "Anna");
  await user.click(save);
  await screen.findByText("Name saved.");
  expect(server.sent("update_account")).toEqual([{ name: "Anna" }]);
});

test("the form checks a new password before it is sent, and the server checks the current one", async () => {
  const { user, server } = renderPage(<PasswordForm hasPassword />);
  server.refuse("change_password", {
    code: "BAD_REQUEST",
    message: "current_password: is wrong",
    details: [{ field: "current_password", pointer: "/current_password", code: "custom", message: "is wrong" }],
  });
  const current = screen.getByLabelText("Current password");
  const next = screen.getByLabelText("New password");
  await user.click(screen.getByRole("button", { name: "Change password" }));
  await eventually(() => expect(describedBy(current)).toBe("Enter your password."));
  expect(describedBy(next)).toMatch(/Choose a password\.$/);
  await expectFocus(current);
  await user.type(current, "old");
  await user.type(next, "short");
  await eventually(() => expect(describedBy(next)).toMatch(/Must have at least 10 characters\.$/));
  await expectAccessible();
  await user.type(next, " no longer");
  await user.click(screen.getByRole("button", { name: "Change password" }));
  await eventually(() => expect(describedBy(current)).toBe("This is wrong."));
  await expectFocus(current);
  expect(server.sent("change_password")).toEqual([{ current_password: "old", new_password: "short no longer" }]);
});
