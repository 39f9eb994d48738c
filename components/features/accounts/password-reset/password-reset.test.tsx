import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { ForgotPasswordCard } from "@/components/features/accounts/password-reset/forgot-password-card";
import { NewPasswordCard } from "@/components/features/accounts/password-reset/new-password-card";
import { describedBy, expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

test("the form asks for an address, and its answer does not say whether there is an account", async () => {
  const { user, server } = renderPage(<ForgotPasswordCard canMail />);
  server.answerPath("/api/password-reset", 202, {});
  const email = screen.getByRole("textbox", { name: "Email" });
  await user.click(screen.getByRole("button", { name: "Email me a link" }));
  await eventually(() => expect(describedBy(email)).toBe("Enter your email address."));
  await expectFocus(email);
  await user.type(email, "ann@example.com{Enter}");
  await eventually(() => expect(screen.getByRole("status").textContent).toMatch(/^If ann@example.com has an account/));
  expect(server.sentTo("/api/password-reset")).toEqual([{ email: "ann@example.com" }]);
  await expectAccessible();
});

test("an instance without a mail server names the command of its operator", async () => {
  renderPage(<ForgotPasswordCard canMail={false} />);
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getByText(/set-password --email/)).toBeTruthy();
  await expectAccessible();
});

test("a refused password is shown at its field, and an accepted one leads to the sign-in page", async () => {
  const { user, server } = renderPage(<NewPasswordCard token="secret-token" />);
  const details = [{ field: "new_password", pointer: "/new_password", code: "custom", message: "is easy to guess" }];
  server.answerPath("/api/password-reset/redeem", 400, { code: "BAD_REQUEST", error: "new_password", details });
  const password = screen.getByLabelText("New password");
  await user.type(password, "password1234{Enter}");
  await eventually(() => expect(describedBy(password)).toContain("is easy to guess"));
  server.answerPath("/api/password-reset/redeem", 200, {});
  await user.clear(password);
  await user.type(password, "seven quiet otters at noon{Enter}");
  await eventually(() => expect(screen.getByRole("link", { name: "Sign in" })).toBeTruthy());
  expect(server.sentTo("/api/password-reset/redeem").at(-1)).toEqual({
    token: "secret-token",
    new_password: "seven quiet otters at noon",
  });
  await expectAccessible();
});
