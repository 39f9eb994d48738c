import { createHash, randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { findSignUpMode } from "#lib/domain/accounts/find-sign-up-mode";
import { signUp } from "#lib/domain/accounts/sign-up";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { emptyTables, useTestDatabase } from "#lib/platform/db/test-database";
import { raceBehindLock } from "#lib/platform/db/test-race";
import { uuidv7 } from "#lib/support/ids";

useTestDatabase();

function account(email: string, more: { invite?: string } = {}) {
  return signUpInput.parse({ name: "Ann Lee", email, password: "long enough 1", ...more });
}

async function invite(workspaceId: string, email: string, expires = "1 day"): Promise<string> {
  const token = randomBytes(16).toString("base64url");
  await db().query(
    `insert into workspace_invites (id, workspace_id, email, role, token_hash, expires_at)
     values ($1, $2, $3, 'editor', $4, now() + $5::interval)`,
    [uuidv7(), workspaceId, email, createHash("sha256").update(token).digest(), expires],
  );
  return token;
}

beforeEach(async () => {
  env().ALLOW_SIGNUP = false;
  await emptyTables("users", "workspaces", "sign_in_attempts");
});

test("the first account owns the instance and gets a workspace", async () => {
  expect((await findSignUpMode(null)).mode).toBe("owner");
  const { userId, workspaceId } = await signUp(account("ann@example.com"));
  const { rows } = await db().query(
    "select m.role, w.name, w.slug, w.plan from workspace_members m join workspaces w on w.id = m.workspace_id where m.user_id = $1 and w.id = $2",
    [userId, workspaceId],
  );
  expect(rows).toEqual([{ role: "owner", name: "Ann Lee's workspace", slug: "ann-lee-s-workspace", plan: "free" }]);
  expect((await findSignUpMode(null)).mode).toBe("closed");
});

test("of two concurrent first accounts exactly one owns the instance", async () => {
  // Lets both find no account, and holds them where they would write.
  const results = await raceBehindLock(
    { text: "lock table users in share row exclusive mode" },
    ["ann@example.com", "bob@example.com"].map((email) => () => signUp(account(email))),
  );
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  expect(results.find((result) => result.status === "rejected")).toMatchObject({ reason: { code: "FORBIDDEN" } });
  const { rows } = await db().query(
    "select (select count(*) from users) as users, (select count(*) from workspaces) as workspaces",
  );
  expect(rows).toEqual([{ users: 1, workspaces: 1 }]);
});

test("a later account without an invite is refused, unless the instance allows sign-up", async () => {
  await signUp(account("ann@example.com"));
  await expect(signUp(account("bob@example.com"))).rejects.toMatchObject({ code: "FORBIDDEN" });
  env().ALLOW_SIGNUP = true;
  const bob = await signUp(account("bob@example.com"));
  const { rows } = await db().query("select slug from workspaces where id = $1", [bob.workspaceId]);
  expect(rows[0].slug).toMatch(/^ann-lee-s-workspace-[0-9a-f]{6}$/);
});

test("an invite lets its address in once, with its role, and never another address", async () => {
  const owner = await signUp(account("ann@example.com"));
  const token = await invite(owner.workspaceId, "bob@example.com");
  expect(await findSignUpMode(token)).toEqual({
    mode: "invite",
    email: "bob@example.com",
    workspaceName: "Ann Lee's workspace",
    workspaceId: owner.workspaceId,
    hasAccount: false,
  });
  await expect(signUp(account("eve@example.com", { invite: token }))).rejects.toMatchObject({ code: "FORBIDDEN" });
  const [first, second] = await raceBehindLock({ text: "lock table users in share row exclusive mode" }, [
    () => signUp(account("bob@example.com", { invite: token })),
    () => signUp(account("bob@example.com", { invite: token })),
  ]);
  expect([first?.status, second?.status].sort()).toEqual(["fulfilled", "rejected"]);
  const { rows } = await db().query("select role from workspace_members where workspace_id = $1 order by role", [
    owner.workspaceId,
  ]);
  expect(rows).toEqual([{ role: "editor" }, { role: "owner" }]);
  expect((await findSignUpMode(token)).mode).toBe("closed");
  const { rows: audited } = await db().query("select action, details from audit_events where workspace_id = $1", [
    owner.workspaceId,
  ]);
  expect(audited).toEqual([{ action: "member.joined", details: { name: "Ann Lee", role: "editor" } }]);
});

test("an expired or invented invite lets no one in", async () => {
  const owner = await signUp(account("ann@example.com"));
  const expired = await invite(owner.workspaceId, "bob@example.com", "-1 second");
  for (const token of [expired, "invented"]) {
    await expect(signUp(account("bob@example.com", { invite: token }))).rejects.toMatchObject({ code: "FORBIDDEN" });
  }
});

test("an invite for another address does not reveal who has an account", async () => {
  const owner = await signUp(account("ann@example.com"));
  const token = await invite(owner.workspaceId, "bob@example.com");
  const refusalOf = (email: string) => signUp(account(email, { invite: token })).catch((error: unknown) => error);
  expect(await refusalOf("ann@example.com")).toEqual(await refusalOf("eve@example.com"));
});

test("a new workspace has the time zone of the browser it was created in, and never an invented one", async () => {
  const zone = { name: "Ann", email: "ann@example.com", password: "long enough 1", time_zone: "Europe/Berlin" };
  const { workspaceId } = await signUp(signUpInput.parse(zone));
  const { rows } = await db().query("select time_zone from workspaces where id = $1", [workspaceId]);
  expect(rows).toEqual([{ time_zone: "Europe/Berlin" }]);
  expect(signUpInput.parse({ ...zone, time_zone: "Mars/Olympus" }).time_zone).toBeUndefined();
});

test("one address has one account, however it is written", async () => {
  env().ALLOW_SIGNUP = true;
  await signUp(account("ann@example.com"));
  await expect(signUp(account("ANN@Example.com"))).rejects.toMatchObject({ code: "EMAIL_TAKEN" });
  const { rows } = await db().query("select count(*) from workspaces");
  expect(rows).toEqual([{ count: 1 }]);
});

test("passwords under ten characters, empty names and malformed addresses are refused before anything is stored", () => {
  const parsed = signUpInput.safeParse({ name: " ", email: "ann＠example.com", password: "123456789" });
  expect(parsed.error?.issues.map((issue) => issue.path[0])).toEqual(["name", "name", "email", "password"]);
});
