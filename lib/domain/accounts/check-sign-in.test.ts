import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { signUpInput } from "#lib/contract/account/person-inputs";
import { LIMITS } from "#lib/contract/limits";
import { openDevice, sealDevice } from "#lib/domain/accounts/attempts/known-device";
import { deleteOldSignInAttempts, takeSignInAttempt } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { unlockAccount, unlockMember } from "#lib/domain/accounts/attempts/unlock-account";
import { checkSignIn } from "#lib/domain/accounts/check-sign-in";
import { createUser } from "#lib/domain/accounts/create-user";
import { hashPassword } from "#lib/domain/accounts/hash-password";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { signUp } from "#lib/domain/accounts/sign-up";
import { findMember } from "#lib/domain/workspaces/find-member";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";
import { emptyTables, useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

const PASSWORD = "right password";
/** The attempts at the account a@b.c. */
const SUBJECT = `account:${createHash("sha256").update("a@b.c").digest("base64url")}`;
let owner: { userId: string; workspaceId: string };

beforeEach(async () => {
  await emptyTables("users", "workspaces", "sign_in_attempts");
  owner = await signUp(signUpInput.parse({ name: "Ann", email: "ann@example.com", password: PASSWORD }));
});

/** Makes every attempt older. */
const age = (seconds: number) =>
  db().query("update sign_in_attempts set last_at = last_at - make_interval(secs => $1)", [seconds]);

test("the right password signs in, however the address is written", async () => {
  expect(await checkSignIn(" ANN@example.com", PASSWORD, { address: "1.1.1.1" })).toEqual({
    status: "signed_in",
    userId: owner.userId,
    name: "Ann",
    email: "ann@example.com",
    sessionEpoch: 0,
  });
});

test("an unknown account, a malformed address and a wrong password get one answer", async () => {
  for (const email of ["ann@example.com", "bob@example.com", "not an address"]) {
    expect(await checkSignIn(email, "wrong password", { address: "1.1.1.1" })).toEqual({ status: "refused" });
  }
});

test("a person without a workspace learns that only after the right password", async () => {
  await db().query("delete from workspace_members");
  expect(await checkSignIn("ann@example.com", "wrong password", { address: "1.1.1.1" })).toEqual({ status: "refused" });
  expect(await checkSignIn("ann@example.com", PASSWORD, { address: "1.1.1.1" })).toMatchObject({
    status: "no_workspace",
  });
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
  const signIn = (password: string, invite: string) =>
    checkSignIn("bob@example.com", password, { address: "1.1.1.1" }, invite);
  expect(await signIn("wrong password", token)).toEqual({ status: "refused" });
  expect(await signIn(PASSWORD, await tokenFor("eve@example.com"))).toEqual({ status: "invite_refused" });
  expect(await signIn(PASSWORD, token)).toMatchObject({ status: "signed_in", userId: bob.userId });
  expect(await findMember(await addSession(bob.userId), null)).toMatchObject({
    workspaceId,
    role: "editor",
  });
  expect(await signIn(PASSWORD, token)).toEqual({ status: "invite_refused" });
});

test("after ten failures an account waits, even for the right password and from other addresses", async () => {
  for (let attempt = 0; attempt < 10; attempt++) await takeSignInAttempt(db(), "account", "ann@example.com");
  const signIn = () => checkSignIn("ann@example.com", PASSWORD, { address: "2.2.2.2" });
  expect(await signIn()).toMatchObject({ status: "throttled" });
  await age(61);
  expect(await signIn()).toMatchObject({ status: "signed_in" });
});

test("each further failure doubles the wait, up to an hour, and a refused attempt does not lengthen it", async () => {
  const waits: number[] = [];
  for (let failures = 10; failures < 20; failures++) {
    await db().query(
      `insert into sign_in_attempts (subject, failures) values ($1, $2)
       on conflict (subject) do update set failures = $2, last_at = now()`,
      [SUBJECT, failures],
    );
    const wait = await takeSignInAttempt(db(), "account", "a@b.c");
    await age(10);
    expect((await takeSignInAttempt(db(), "account", "a@b.c")) + 10).toBeLessThanOrEqual(wait);
    waits.push(Math.round(wait / 60));
  }
  expect(waits.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, 60]);
  expect(Math.max(...waits)).toBe(60);
});

test("failures are forgotten one by one", async () => {
  for (let attempt = 0; attempt < 10; attempt++) await takeSignInAttempt(db(), "account", "a@b.c");
  await age(3 * 3_600);
  for (let attempt = 0; attempt < 3; attempt++) expect(await takeSignInAttempt(db(), "account", "a@b.c")).toBe(0);
  expect(await takeSignInAttempt(db(), "account", "a@b.c")).toBeGreaterThan(0);
});

describe("a device that signed in before", () => {
  const stranger = { address: "6.6.6.6" };
  const known = () => openDevice(sealDevice(null, owner.userId, 0));
  const lockOut = async () => {
    for (let attempt = 0; attempt < 10; attempt++) await takeSignInAttempt(db(), "account", "ann@example.com");
  };

  test("passes a lock that strangers caused, of the account and of its address", async () => {
    await lockOut();
    for (let attempt = 0; attempt < 50; attempt++) await takeSignInAttempt(db(), "address", "1.1.1.1");
    expect(await checkSignIn("ann@example.com", PASSWORD, { address: "1.1.1.1", device: known() })).toMatchObject({
      status: "signed_in",
    });
    // Its success gives strangers no new attempts.
    expect(await checkSignIn("ann@example.com", PASSWORD, stranger)).toMatchObject({ status: "throttled" });
  });

  test("has ten attempts of its own, and its failures do not count against others", async () => {
    const device = known();
    const guess = (password: string) => checkSignIn("ann@example.com", password, { ...stranger, device });
    for (let attempt = 0; attempt < 10; attempt++) expect(await guess("wrong password")).toEqual({ status: "refused" });
    expect(await guess(PASSWORD)).toMatchObject({ status: "throttled" });
    expect(await checkSignIn("ann@example.com", PASSWORD, stranger)).toMatchObject({ status: "signed_in" });
  });

  test("is a stranger to other accounts, after a changed password, and with a forged cookie", async () => {
    await lockOut();
    const signIn = (device: ReturnType<typeof known>) =>
      checkSignIn("ann@example.com", PASSWORD, { ...stranger, device });
    const bob = "018f0000-0000-7000-8000-000000000002";
    expect(await signIn(openDevice(sealDevice(null, bob, 0)))).toMatchObject({ status: "throttled" });
    expect(await signIn(openDevice(sealDevice(null, owner.userId, 1)))).toMatchObject({ status: "throttled" });
    const cookie = sealDevice(null, owner.userId, 0);
    expect(openDevice(`${cookie.slice(0, -4)}AAAA`)).toBeNull();
    expect(openDevice("AAAA")).toBeNull();
  });

  test("is remembered for each of the people who share it, up to five", async () => {
    const people = Array.from({ length: 6 }, (_, index) => `018f0000-0000-7000-8000-00000000000${index}`);
    let device = known();
    const { id } = device ?? {};
    for (const person of people) device = openDevice(sealDevice(device, person, 0));
    expect(device?.id).toBe(id);
    expect(device?.people.map((person) => person.user_id)).toEqual(people.slice(1).reverse());
  });
});

test("an administrator unlocks a member, and attempts that no longer count are deleted", async () => {
  for (let attempt = 0; attempt < 10; attempt++) await takeSignInAttempt(db(), "account", "ann@example.com");
  const signIn = () => checkSignIn("ann@example.com", PASSWORD, { address: "2.2.2.2" });
  expect(await signIn()).toMatchObject({ status: "throttled" });
  const { workspaceId, userId } = owner;
  const actor = { type: "user" as const, id: userId, name: "Ann" };
  expect(await unlockMember({ workspaceId, actor, actorUserId: userId, userId })).toBe(true);
  expect(await signIn()).toMatchObject({ status: "signed_in" });
  await age(3 * 86_400);
  await takeSignInAttempt(db(), "account", "a@b.c");
  await deleteOldSignInAttempts(db());
  expect((await db().query("select 1 from sign_in_attempts")).rows).toHaveLength(1);
});

test("an administrator cannot guess without end by unlocking the member between the guesses", async () => {
  const { workspaceId, userId } = owner;
  const actor = { type: "user" as const, id: userId, name: "Ann" };
  const unlock = () => unlockMember({ workspaceId, actor, actorUserId: userId, userId });
  for (let time = 0; time < LIMITS.memberUnlocks; time++) await unlock();
  for (let attempt = 0; attempt < 10; attempt++) await takeSignInAttempt(db(), "second_factor", userId);
  await expect(unlock()).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
  expect(await takeSignInAttempt(db(), "second_factor", userId)).toBeGreaterThan(0);
  // The operator has no limit.
  expect(await unlockAccount(userId, actor)).toBe(true);
  expect(await takeSignInAttempt(db(), "second_factor", userId)).toBe(0);
});

test("a failed sign-in is recorded for the person, with its address and without the password", async () => {
  await checkSignIn("ann@example.com", "wrong password", { address: "7.7.7.7" });
  await eventually(async () => {
    const { rows } = await db().query("select details from audit_events where action = 'user.sign_in_failed'");
    expect(rows).toEqual([{ details: { name: "Ann", address: "7.7.7.7" } }]);
  });
});

test("concurrent attempts cannot pass the limit together", async () => {
  const waits = await Promise.all(Array.from({ length: 30 }, () => takeSignInAttempt(db(), "account", "a@b.c")));
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(10);
  for (const seconds of waits.filter((wait) => wait > 0)) expect(seconds).toBeLessThanOrEqual(900);
});

test("fifty failures from one address close it for every account, and a success does not count", async () => {
  for (let attempt = 0; attempt < 49; attempt++) await takeSignInAttempt(db(), "address", "3.3.3.3");
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(await checkSignIn("ann@example.com", PASSWORD, { address: "3.3.3.3" })).toMatchObject({
      status: "signed_in",
    });
  }
  await checkSignIn("bob@example.com", "wrong password", { address: "3.3.3.3" });
  expect(await checkSignIn("ann@example.com", PASSWORD, { address: "3.3.3.3" })).toMatchObject({ status: "throttled" });
});

test("text typed into the email field is not stored", async () => {
  await checkSignIn("my secret password", "wrong password", { address: "1.1.1.1" });
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
