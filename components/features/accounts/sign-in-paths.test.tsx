import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { PasswordInput } from "@/components/features/accounts/password-input";
import { SignInForm } from "@/components/features/accounts/sign-in-form";
import { SignUpClosed } from "@/components/features/accounts/sign-up-closed";
import { SignUpForm } from "@/components/features/accounts/sign-up-form";
import { describedBy, expectAccessible, expectFocus, renderPage } from "@/components/testing/render-page.fixture";
import { GITHUB_SERVICE, GOOGLE_SERVICE } from "@/components/testing/sign-in-services.fixture";
import { watchLeaving } from "@/components/testing/watch-leaving.fixture";
import { Field } from "@/components/ui/forms/field";

const SIGN_IN = { returnTo: "/runs?status=failed", canSignUp: true, initialError: null, services: [] };
const INVITE = { token: "a token", email: "bob@example.com", workspaceId: "w-1", workspaceName: "Acme" };
const LINK = { token: "link token", label: "GitHub", email: "bob@example.com" } as const;

const PROVIDERS = {
  credentials: { id: "credentials", type: "credentials" },
  github: { id: "github", type: "oauth" },
  google: { id: "google", type: "oauth" },
};

type Page = ReturnType<typeof renderPage>;

/** Mocks the sign-in service with next-auth's responses. */
function answerSignIn({ server }: Page, status: number, url: string) {
  server.answerPath("/api/auth/providers", 200, PROVIDERS);
  server.answerPath("/api/auth/csrf", 200, { csrfToken: "token" });
  server.answerPath("/api/auth/callback/credentials", status, { url });
}

async function giveCredentials({ user }: Page, email: string | null = "ann@example.com") {
  if (email !== null) await user.type(screen.getByRole("textbox", { name: /mail/i }), email);
  await user.type(screen.getByLabelText("Password"), "a phrase of words{Enter}");
}

test("after signing in, the user returns to the page that they requested", async () => {
  const leave = watchLeaving();
  const page = renderPage(<SignInForm {...SIGN_IN} />);
  answerSignIn(page, 200, "http://localhost/workflows");
  await giveCredentials(page, "  ann@example.com ");
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith("/runs?status=failed"));
  expect(page.server.sentTo("/api/auth/callback/credentials")[0]).toMatchObject({
    email: "ann@example.com",
    password: "a phrase of words",
  });
});

test("after too many attempts the form says to wait, and the next refusal replaces the message", async () => {
  const page = renderPage(<SignInForm {...SIGN_IN} />);
  answerSignIn(page, 401, "http://localhost/?error=TooManyAttempts");
  await giveCredentials(page);
  const password = screen.getByLabelText("Password");
  await eventually(() => expect(describedBy(password)).toMatch(/too many attempts/i));
  answerSignIn(page, 401, "http://localhost/?error=CredentialsSignin");
  await page.user.click(screen.getByRole("button", { name: "Sign in" }));
  await eventually(() => expect(describedBy(password)).toMatch(/wrong/));
  expect(screen.queryByText(/too many attempts/i)).toBeNull();
});

test("a server that does not answer is reported, and the fields keep their values", async () => {
  const page = renderPage(<SignInForm {...SIGN_IN} />);
  page.server.answerPath("/api/auth/providers", 200, PROVIDERS);
  page.server.answerPath("/api/auth/csrf", 200, { csrfToken: "token" });
  page.server.answerPath("/api/auth/callback/credentials", 502, "Bad gateway");
  await giveCredentials(page);
  await eventually(() => expect(describedBy(screen.getByLabelText("Password"))).toMatch(/didn't answer/));
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: /mail/i }).value).toBe("ann@example.com");
});

test("every refusal of another service has its own message", () => {
  const words = ["UnverifiedEmail", "SignUpClosed", "OAuthSignin", "OAuthCallback", "NoWorkspace"].map((code) => {
    const { unmount } = renderPage(<SignInForm {...SIGN_IN} initialError={code} />);
    const text = describedBy(screen.getByLabelText("Password"));
    unmount();
    return text;
  });
  expect(new Set(words).size).toBe(words.length);
});

test("an unknown error code still says that signing in failed", () => {
  renderPage(<SignInForm {...SIGN_IN} initialError="SomethingNew" />);
  const said = describedBy(screen.getByLabelText("Password"));
  expect(said).toMatch(/sign/i);
  expect(said).not.toContain("SomethingNew");
});

test("signing in accepts an invite and opens its workspace", async () => {
  const leave = watchLeaving();
  const page = renderPage(<SignInForm {...SIGN_IN} invite={INVITE} />);
  answerSignIn(page, 200, "http://localhost/workflows");
  page.server.answerPath("/api/workspace", 200, {});
  screen.getByRole("heading", { name: /Acme/ });
  const email = screen.getByRole<HTMLInputElement>("textbox", { name: /mail/i });
  expect([email.value, email.readOnly]).toEqual(["bob@example.com", true]);
  await giveCredentials(page, null);
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith("/workflows"));
  expect(page.server.sentTo("/api/auth/callback/credentials")[0]).toMatchObject({ invite: "a token" });
  expect(page.server.sentTo("/api/workspace")).toEqual([{ workspace_id: "w-1" }]);
});

test("a password connects an account of another service, and no third service is offered", async () => {
  const leave = watchLeaving();
  const page = renderPage(<SignInForm {...SIGN_IN} services={[GITHUB_SERVICE, GOOGLE_SERVICE]} link={LINK} />);
  answerSignIn(page, 200, "http://localhost/workflows");
  expect(screen.queryByRole("button", { name: /Google/ })).toBeNull();
  await giveCredentials(page, null);
  await eventually(() => expect(leave).toHaveBeenCalledTimes(1));
  expect(page.server.sentTo("/api/auth/callback/credentials")[0]).toMatchObject({ link: "link token" });
});

test("the sign-in continues at the service if the password connected an account without a workspace", async () => {
  const leave = watchLeaving();
  const page = renderPage(<SignInForm {...SIGN_IN} services={[GITHUB_SERVICE]} link={LINK} />);
  answerSignIn(page, 401, "http://localhost/?error=AccountConnected%3Agithub");
  page.server.answerPath("/api/auth/signin/github", 200, { url: "https://github.com/login" });
  await giveCredentials(page, null);
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith("https://github.com/login"));
  expect(page.server.sentTo("/api/auth/signin/github")).toMatchObject([{ callbackUrl: "/runs?status=failed" }]);
});

test("another service is opened once, and returns to the page that was requested", async () => {
  const leave = watchLeaving();
  const page = renderPage(<SignInForm {...SIGN_IN} services={[GITHUB_SERVICE, GOOGLE_SERVICE]} />);
  page.server.answerPath("/api/auth/providers", 200, PROVIDERS);
  page.server.answerPath("/api/auth/csrf", 200, { csrfToken: "token" });
  page.server.answerPath("/api/auth/signin/github", 200, { url: "https://github.com/login" });
  await page.user.click(screen.getByRole("button", { name: /GitHub/ }));
  expect(screen.getByRole<HTMLButtonElement>("button", { name: /Google/ }).disabled).toBe(true);
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith("https://github.com/login"));
  expect(page.server.sentTo("/api/auth/signin/github")).toMatchObject([{ callbackUrl: "/runs?status=failed" }]);
});

test("signing in through another service returns to the invite", async () => {
  const leave = watchLeaving();
  const page = renderPage(<SignInForm {...SIGN_IN} services={[GOOGLE_SERVICE]} invite={INVITE} />);
  page.server.answerPath("/api/auth/providers", 200, PROVIDERS);
  page.server.answerPath("/api/auth/csrf", 200, { csrfToken: "token" });
  page.server.answerPath("/api/auth/signin/google", 200, { url: "https://accounts.google.com" });
  await page.user.click(screen.getByRole("button", { name: /Google/ }));
  await eventually(() => expect(leave).toHaveBeenCalledTimes(1));
  expect(page.server.sentTo("/api/auth/signin/google")).toMatchObject([{ callbackUrl: "/signup?invite=a%20token" }]);
});

test("a service that could not be reached can be tried again", async () => {
  const page = renderPage(<SignInForm {...SIGN_IN} services={[GITHUB_SERVICE, GOOGLE_SERVICE]} />);
  page.server.answerPath("/api/auth/providers", 200, PROVIDERS);
  page.server.answerPath("/api/auth/csrf", 200, { csrfToken: "token" });
  // The response is not JSON, so the request fails.
  page.server.answerPath("/api/auth/signin/github", 502, undefined);
  await page.user.click(screen.getByRole("button", { name: /GitHub/ }));
  await eventually(() =>
    expect(screen.getByRole<HTMLButtonElement>("button", { name: /Google/ }).disabled).toBe(false),
  );
  expect(screen.getByRole<HTMLButtonElement>("button", { name: /GitHub/ }).disabled).toBe(false);
});

test("an instance without other services shows only the form", () => {
  renderPage(<SignInForm {...SIGN_IN} canSignUp={false} />);
  expect(screen.queryByRole("button", { name: /GitHub|Google/ })).toBeNull();
  expect(screen.getAllByRole("link").map((link) => link.textContent)).toEqual(["Forgot your password?"]);
});

test("the first account owns the instance and has no link to sign in", () => {
  renderPage(<SignUpForm mode="owner" invite={null} email={null} workspaceName={null} services={[]} />);
  screen.getByRole("heading", { name: /owner/ });
  expect(screen.queryByRole("link", { name: "Sign in" })).toBeNull();
});

test("a new account is signed in immediately", async () => {
  const leave = watchLeaving();
  const invited = { mode: "invite", invite: "token", email: "bob@example.com", workspaceName: "Acme" } as const;
  const page = renderPage(<SignUpForm {...invited} services={[]} />);
  answerSignIn(page, 200, "http://localhost/workflows");
  page.server.answerPath("/api/sign-up", 201, {});
  await page.user.type(screen.getByRole("textbox", { name: "Your name" }), "Bob");
  await giveCredentials(page, null);
  await eventually(() => expect(leave).toHaveBeenCalledExactlyOnceWith("/workflows"));
  expect(page.server.sentTo("/api/auth/callback/credentials")).toMatchObject([
    { email: "bob@example.com", password: "a phrase of words" },
  ]);
});

test("an invite that no longer works says who to ask and offers a signed-in user the start page", async () => {
  renderPage(<SignUpClosed hasInvite isSignedIn />);
  screen.getByRole("heading", { name: /invite/ });
  expect(screen.getByRole("link").getAttribute("href")).toBe("/workflows");
  await expectAccessible();
});

test("a visitor without an invite is linked to the sign-in page", () => {
  renderPage(<SignUpClosed hasInvite={false} isSignedIn={false} />);
  expect(screen.getByRole("link").getAttribute("href")).toBe("/sign-in");
});

test("the password stays hidden until its button is pressed, and keeps its text", async () => {
  const { user } = renderPage(
    <Field label="Password">{(control) => <PasswordInput {...control} autoComplete="new-password" />}</Field>,
  );
  const input = screen.getByLabelText<HTMLInputElement>("Password");
  expect(input.type).toBe("password");
  await user.type(input, "a phrase");
  await user.tab();
  await expectFocus(screen.getByRole("button", { name: /show/i }));
  await user.keyboard("{Enter}");
  expect([input.type, input.value]).toEqual(["text", "a phrase"]);
  await user.click(screen.getByRole("button", { name: /hide/i }));
  expect(input.type).toBe("password");
});

test("a password manager can fill in and store the password", () => {
  renderPage(<SignInForm {...SIGN_IN} />);
  const form = within(screen.getByRole("textbox", { name: /mail/i }).closest("form") ?? document.body);
  expect(form.getByRole("textbox").getAttribute("autocomplete")).toBe("username");
  expect(form.getByLabelText("Password").getAttribute("autocomplete")).toBe("current-password");
});
