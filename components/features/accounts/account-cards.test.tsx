import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { SignInForm } from "@/components/features/accounts/sign-in-form";
import { SignUpForm } from "@/components/features/accounts/sign-up-form";
import { describedBy, expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";

const SIGN_IN = { returnTo: "/workflows", canSignUp: true, initialError: null, services: [] };
const SIGN_UP = { mode: "open", invite: null, email: null, workspaceName: null, services: [] } as const;

test("sign-in names the missing fields, and shows a refusal at the password, which gets the focus", async () => {
  const { user, server } = renderPage(<SignInForm {...SIGN_IN} />);
  const email = screen.getByRole("textbox", { name: "Email" });
  const password = screen.getByLabelText("Password");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  await eventually(() => expect(describedBy(email)).toBe("Enter your email address."));
  expect(describedBy(password)).toBe("Enter your password.");
  await expectFocus(email);
  await expectAccessible();
  server.answerPath("/api/auth/providers", 200, { credentials: { id: "credentials", type: "credentials" } });
  server.answerPath("/api/auth/csrf", 200, { csrfToken: "token" });
  server.answerPath("/api/auth/callback/credentials", 401, { url: "http://localhost/?error=CredentialsSignin" });
  await user.type(email, "ann@example.com");
  await user.type(password, "wrong{Enter}");
  await eventually(() => expect(describedBy(password)).toBe("The email address or the password is wrong."));
  expect(password.getAttribute("aria-invalid")).toBe("true");
  await expectFocus(password);
  expect(server.sentTo("/api/auth/callback/credentials")).toHaveLength(1);
});

test("a refusal that sent the user to the sign-in page is shown at once", () => {
  renderPage(<SignInForm {...SIGN_IN} initialError="TooManyAttempts" />);
  expect(describedBy(screen.getByLabelText("Password"))).toBe("Too many attempts. Wait a few minutes and try again.");
});

test("sign-up checks its fields with the server's schema and shows the server's refusals at their fields", async () => {
  const { user, server } = renderPage(<SignUpForm {...SIGN_UP} />);
  server.answerPath("/api/sign-up", 409, { code: "EMAIL_TAKEN", error: "This address has an account already." });
  const name = screen.getByRole("textbox", { name: "Your name" });
  const email = screen.getByRole("textbox", { name: "Email" });
  const password = screen.getByLabelText("Password");
  await user.click(screen.getByRole("button", { name: "Create account" }));
  await eventually(() => expect(describedBy(name)).toBe("Enter your name."));
  await expectFocus(name);
  expect(describedBy(password)).toMatch(/Choose a password\.$/);
  await user.type(name, "Bob");
  await user.type(screen.getByRole("textbox", { name: "Workspace" }), "Acme");
  await user.type(email, "bob@example.com");
  await user.type(password, "a phrase of words{Enter}");
  await eventually(() => expect(describedBy(email)).toBe("This address has an account already."));
  await expectFocus(email);
  expect(server.sentTo("/api/sign-up")).toEqual([
    { name: "Bob", workspace_name: "Acme", email: "bob@example.com", password: "a phrase of words", time_zone: "UTC" },
  ]);
});

test("an invite fixes the address and creates no workspace", async () => {
  const invited = { mode: "invite", invite: "token", email: "bob@example.com", workspaceName: "Acme" } as const;
  const { user, server } = renderPage(<SignUpForm {...SIGN_UP} {...invited} />);
  server.answerPath("/api/sign-up", 403, { code: "FORBIDDEN", error: "The invite was used." });
  await user.type(screen.getByRole("textbox", { name: "Your name" }), "Bob");
  await user.type(screen.getByLabelText("Password"), "a phrase of words{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe("The invite was used.");
  const account = { name: "Bob", email: "bob@example.com", password: "a phrase of words", invite: "token" };
  expect(server.sentTo("/api/sign-up")).toEqual([account]);
});
