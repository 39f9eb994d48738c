import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { AuditEventObject } from "#lib/contract/workspace/workspace";
import { eventually } from "#lib/support/eventually.fixture";
import { AccountActivity } from "@/components/features/settings/account-activity";
import { idOf, pageOf } from "@/components/testing/page.fixture";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";
import { auditEvent } from "@/components/testing/workspace.fixture";

const USER = { type: "user" as const, id: idOf(9), name: "Ann" };
const SIGN_IN = { method: "password", second_factor: "authenticator", address: "192.0.2.7" };
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

function activity(action: string, details: AuditEventObject["details"] = {}, actor: AuditEventObject["actor"] = USER) {
  return auditEvent({ event_id: crypto.randomUUID(), action, actor, object_type: "user", object_id: idOf(9), details });
}

const renderActivity = (events: AuditEventObject[]) =>
  renderPage(<AccountActivity />, { prepare: (server) => server.answer("list_account_activity", pageOf(events)) });

const rows = async () =>
  within(await screen.findByRole("list", { name: "Security activity" }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

test("each event says in words what happened, how, and from where", async () => {
  renderActivity([
    activity("user.signed_in", { ...SIGN_IN, user_agent: FIREFOX }),
    activity("user.signed_in", { method: "github", second_factor: null, address: "192.0.2.8" }),
    activity("user.sign_in_failed", { name: "Ann", address: "192.0.2.9" }, { type: "system", id: null, name: null }),
    activity("user.passkey_added", { name: "Laptop" }),
    activity("user.sessions_ended", { count: 2 }),
  ]);
  expect(await rows()).toEqual([
    expect.stringMatching(/^Signed inWith password and authenticator app · Firefox on Linux · 192\.0\.2\.7/),
    expect.stringMatching(/^Signed inWith GitHub · 192\.0\.2\.8/),
    expect.stringMatching(/^Sign-in failed192\.0\.2\.9/),
    expect.stringMatching(/^Passkey addedLaptop/),
    expect.stringMatching(/^Sessions ended2 sessions/),
  ]);
  await expectAccessible();
});

test("a wrong second factor is shown with its kind, and no one is named as its author", async () => {
  const details = { second_factor: "authenticator", address: "192.0.2.9" };
  const unknown = { type: "system" as const, id: null, name: null };
  renderActivity([
    activity("user.second_factor_failed", details, unknown),
    activity("user.second_factor_failed", { second_factor: "recovery_code", address: null }, unknown),
  ]);
  const [atSignIn, inSession] = await rows();
  expect(atSignIn).toMatch(/^Wrong second factorWith authenticator app · 192\.0\.2\.9/);
  expect(inSession).toMatch(/^Wrong second factorWith recovery code/);
  expect(`${atSignIn}${inSession}`).not.toContain("By ");
});

test("an event says who caused it if it was not the user", async () => {
  renderActivity([
    activity("user.unlocked", { name: "Ann" }, { type: "user", id: idOf(4), name: "Bob" }),
    activity("user.password_changed", {}, { type: "system", id: null, name: "admin" }),
    activity("user.password_changed"),
  ]);
  expect(await rows()).toEqual([
    expect.stringMatching(/^Account unlockedBy Bob/),
    expect.stringMatching(/^Password changedBy the operator/),
    expect.stringMatching(/^Password changed(?!By)/),
  ]);
});

test("older events are added below the newer ones", async () => {
  const { user, server } = renderActivity([]);
  server.answer("list_account_activity", ({ cursor }) =>
    cursor === undefined ? pageOf([activity("user.signed_in")], "older") : pageOf([activity("user.renamed")]),
  );
  await user.click(await screen.findByRole("button", { name: "Show more" }));
  await screen.findByText("Name changed");
  expect(await rows()).toHaveLength(2);
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  expect(server.sent("list_account_activity").at(-1)).toMatchObject({ cursor: "older" });
});

test("an account without events says so", async () => {
  renderActivity([]);
  await screen.findByText(/^Nothing is recorded yet/);
  await expectAccessible();
});

test("a list that fails to load can be loaded again", async () => {
  const { user, server } = renderPage(<AccountActivity />, {
    prepare: (fake) => fake.refuse("list_account_activity", { code: "SERVICE_UNAVAILABLE", message: "Try later." }),
  });
  await screen.findByText("Couldn't load your security activity.");
  server.answer("list_account_activity", pageOf([activity("user.signed_in")]));
  await user.click(screen.getByRole("button", { name: /again|retry/i }));
  await eventually(() => screen.getByText("Signed in"));
});
