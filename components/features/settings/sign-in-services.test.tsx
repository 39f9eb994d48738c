import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { IdentityObject } from "#lib/contract/account/account";
import { SignInServices } from "@/components/features/settings/sign-in-services";
import { secondsAgo } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { GITHUB_SERVICE, GOOGLE_SERVICE } from "@/components/testing/sign-in-services.fixture";

const GITHUB: IdentityObject = {
  provider: "github",

  service: "github",
  label: "GitHub",
  subject: "42",
  email: "ann@example.com",
  connected_at: secondsAgo(90_000),
  last_used_at: secondsAgo(300),
};

test("a connected account shows its address and can be disconnected", async () => {
  const { user, server } = renderPage(
    <SignInServices services={[GITHUB_SERVICE, GOOGLE_SERVICE]} identities={[GITHUB]} />,
  );
  server.answer("remove_identity", { removed: true });
  screen.getByText(/ann@example\.com, last used/);
  await expectAccessible();
  await user.click(screen.getByRole("button", { name: "Disconnect GitHub, ann@example.com" }));
  await screen.findByText(/^GitHub disconnected/);
  expect(server.sent("remove_identity")).toEqual([{ provider: "github", subject: "42" }]);
});

test("the last way to sign in can't be removed, and the reason is shown", async () => {
  const { user, server } = renderPage(<SignInServices services={[GITHUB_SERVICE]} identities={[GITHUB]} />);
  server.refuse("remove_identity", { code: "BAD_REQUEST", message: "Set a password first." });
  await user.click(screen.getByRole("button", { name: /^Disconnect GitHub/ }));
  expect((await screen.findByRole("alert")).textContent).toBe("Set a password first.");
  screen.getByText(/ann@example\.com, last used/);
});

test("disconnecting asks who the user is if the sign-in is old, and is sent again after that", async () => {
  const { user, server } = renderPage(<SignInServices services={[GITHUB_SERVICE]} identities={[GITHUB]} />);
  server.refuse("remove_identity", { code: "confirmation_needed", message: "Confirm that it's you." });
  server.answer("begin_confirmation", { has_password: true, has_authenticator: false, passkey: null });
  server.answer("confirm_identity", { confirmed: true });
  await user.click(screen.getByRole("button", { name: /^Disconnect GitHub/ }));
  await screen.findByRole("dialog", { name: "Confirm that it's you" });
  expect(screen.queryByRole("alert")).toBeNull();
  server.answer("remove_identity", { removed: true });
  await user.type(await screen.findByLabelText("Password"), "a phrase of words");
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  await screen.findByText(/^GitHub disconnected/);
  expect(server.sent("remove_identity")).toHaveLength(2);
});

test("only services that aren't connected yet are offered", () => {
  renderPage(<SignInServices services={[GITHUB_SERVICE, GOOGLE_SERVICE]} identities={[GITHUB]} />);
  expect(screen.getByText(/^To connect/).textContent).toMatch(/^To connect Google,/);
});
