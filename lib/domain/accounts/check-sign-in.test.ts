import { beforeEach, expect, test } from "vitest";
import { signUpInput } from "#lib/contract/inputs/person-inputs";
import { checkSignIn } from "#lib/domain/accounts/check-sign-in";
import { createUser } from "#lib/domain/accounts/create-user";
import { hashPassword } from "#lib/domain/accounts/hash-password";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { signUp } from "#lib/domain/accounts/sign-up";
import { takeSignInAttempt } from "#lib/domain/accounts/take-sign-in-attempt";
import { findMember } from "#lib/domain/workspaces/find-member";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const PASSWORD = "right password";
let owner: { userId: string; workspaceId: string };

beforeEach(async () => {
  await db().query("truncate users, workspaces, sign_in_attempts cascade");
  owner = await signUp(signUpInput.parse({ name: "Ann", email: "ann@example.com", password: PASSWORD }));
});

test("the right password signs in, however the address is written", async () => {
  expect(await checkSignIn(" ANN@example.com", PASSWORD, "1.1.1.1")).toEqual({
    status: "signed_in",
    userId: owner.userId,
    name: "Ann",
    email: "ann@example.com",
    sessionEpoch: 0,
  });
});

test("an unknown account, a malformed address and a wrong password get one answer", async () => {
  for (const email of ["ann@example.com", "bob@example.com", "not an address"]) {
    expect(await checkSignIn(email, "wrong password", "1.1.1.1")).toEqual({ status: "refused" });
  }
});

test("a person without a workspace learns that only after the right password", async () => {
  await db().query("delete from workspace_members");
  expect(await checkSignIn("ann@example.com", "wrong password", "1.1.1.1")).toEqual({ status: "refused" });
  expect(await checkSignIn("ann@example.com", PASSWORD, "1.1.1.1")).toEqual({ status: "no_workspace" });
});

test("a person who belongs to no workspace can sign in with an invite, and not with the same one twice", async () => {
  const { workspaceId, userId } = owner;
  const asks = { workspaceId, actor: { type: "user" as const, id: userId, name: "Ann" }, actorUserId: userId };
  const bob = await createUser(prisma(), {
    email: "bob@example.com",
    name: "Bob",
    passwordHash: await hashPassword(PASSWORD),
  });
  const tokenFor = async (email: string) =>
    (await createInvite({ ...asks, email, role: "editor" })).link.split("=")[1] ?? "";
  const token = await tokenFor("bob@example.com");
  const signIn = (password: string, invite: string) => checkSignIn("bob@example.com", password, "1.1.1.1", invite);
  expect(await signIn("wrong password", token)).toEqual({ status: "refused" });
  expect(await signIn(PASSWORD, await tokenFor("eve@example.com"))).toEqual({ status: "invite_refused" });
  expect(await signIn(PASSWORD, token)).toMatchObject({ status: "signed_in", userId: bob.userId });
  expect(await findMember(await addSession(bob.userId), null)).toMatchObject({
    workspaceId,
    role: "editor",
  });
  expect(await signIn(PASSWORD, token)).toEqual({ status: "invite_refused" });
});

test("after ten failures an account is closed for the window, even for the right password and from other addresses", async () => {
  for (let attempt = 0; attempt < 10; attempt++) await takeSignInAttempt(db(), "account", "ann@example.com");
  const outcome = await checkSignIn("ann@example.com", PASSWORD, "2.2.2.2");
  expect(outcome).toMatchObject({ status: "throttled" });
  await db().query("update sign_in_attempts set window_started_at = now() - interval '15 minutes 1 second'");
  expect(await checkSignIn("ann@example.com", PASSWORD, "2.2.2.2")).toMatchObject({ status: "signed_in" });
});

test("concurrent attempts cannot pass the limit together", async () => {
  const waits = await Promise.all(Array.from({ length: 30 }, () => takeSignInAttempt(db(), "account", "a@b.c")));
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(10);
  for (const seconds of waits.filter((wait) => wait > 0)) expect(seconds).toBeLessThanOrEqual(900);
});

test("fifty failures from one address close it for every account, and a success does not count", async () => {
  for (let attempt = 0; attempt < 49; attempt++) await takeSignInAttempt(db(), "address", "3.3.3.3");
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(await checkSignIn("ann@example.com", PASSWORD, "3.3.3.3")).toMatchObject({ status: "signed_in" });
  }
  await checkSignIn("bob@example.com", "wrong password", "3.3.3.3");
  expect(await checkSignIn("ann@example.com", PASSWORD, "3.3.3.3")).toMatchObject({ status: "throttled" });
});

test("text typed into the email field is not stored", async () => {
  await checkSignIn("my secret password", "wrong password", "1.1.1.1");
  const { rows } = await db().query("select subject from sign_in_attempts");
  expect(JSON.stringify(rows)).not.toContain("secret");
});

test("a session ends at once when its epoch is raised, the membership ends, or the user is deleted", async () => {
  const { userId, workspaceId } = owner;
  const session = await addSession(userId);
  expect(await findMember(session, null)).toMatchObject({
    workspaceId,
    role: "owner",
    plan: "free",
  });
  expect(await findMember({ ...session, epoch: 1 }, null)).toBeNull();
  await db().query("delete from workspace_members");
  expect(await findMember(session, workspaceId)).toBeNull();
});

test("a person acts in the preferred workspace if they belong to it, otherwise in the first they joined", async () => {
  const other = "018f0000-0000-7000-8000-000000000001";
  const foreign = "018f0000-0000-7000-8000-000000000002";
  await db().query(
    "insert into workspaces (id, slug, name) values ($1, 'other', 'Other'), ($2, 'foreign', 'Foreign')",
    [other, foreign],
  );
  await db().query(
    "insert into workspace_members (workspace_id, user_id, role, created_at) values ($1, $2, 'viewer', now() + interval '1 minute')",
    [other, owner.userId],
  );
  const session = await addSession(owner.userId);
  const workspaceOf = async (preferred: string | null) => (await findMember(session, preferred))?.workspaceId;
  expect(await workspaceOf(null)).toBe(owner.workspaceId);
  expect(await workspaceOf(other)).toBe(other);
  expect(await workspaceOf(foreign)).toBe(owner.workspaceId);
});
