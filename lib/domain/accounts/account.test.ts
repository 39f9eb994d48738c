import { beforeEach, expect, test } from "vitest";
import type { ApiError } from "#lib/contract/error/api-error";
import { changePassword, resetPassword } from "#lib/domain/accounts/change-password";
import { checkSignIn } from "#lib/domain/accounts/check-sign-in";
import { createOwnWorkspace } from "#lib/domain/accounts/create-own-workspace";
import { hashPassword, verifyPassword } from "#lib/domain/accounts/hash-password";
import { listSessions } from "#lib/domain/accounts/list-sessions";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { signOutEverywhere } from "#lib/domain/accounts/sign-out-everywhere";
import { startSession } from "#lib/domain/accounts/start-session";
import { updateAccount } from "#lib/domain/accounts/update-account";
import { listAccountActivity } from "#lib/domain/audit/list-account-activity";
import { findMember } from "#lib/domain/workspaces/find-member";
import { listWorkspaces } from "#lib/domain/workspaces/list-workspaces";
import { addMember, type TestMember } from "#lib/domain/workspaces/member.fixture";
import { updateWorkspace } from "#lib/domain/workspaces/update-workspace";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

const PASSWORD = "the old password";
let ann: TestMember;
beforeEach(async () => {
  ann = await addMember((await addWorkspace()).workspaceId, "admin");
});

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: ApiError) => error,
  );

test("a new password needs the old one, works from then on, and ends every session", async () => {
  await db().query("update users set password_hash = $2 where id = $1", [ann.userId, await hashPassword(PASSWORD)]);
  const change = (currentPassword: string, newPassword: string) =>
    errorOf(changePassword({ ...ann, sessionId: null, currentPassword, newPassword }));
  expect(await change("a wrong password", "the new password")).toMatchObject({
    code: "BAD_REQUEST",
    details: [{ field: "current_password" }],
  });
  expect(await change(PASSWORD, PASSWORD)).toMatchObject({ details: [{ field: "new_password" }] });
  const session = await addSession(ann.userId);
  expect(await findMember(session, null)).not.toBeNull();
  expect(await change(PASSWORD, "the new password")).toBeNull();
  expect(await findMember(session, null)).toBeNull();
  const { rows } = await db().query("select password_hash from users where id = $1", [ann.userId]);
  expect(await verifyPassword(rows[0].password_hash, "the new password")).toBe(true);
  const { rows: audited } = await db().query("select action, details from audit_events where object_id = $1", [
    ann.userId,
  ]);
  expect(audited).toEqual([{ action: "user.password_changed", details: {} }]);
});

test("a session cannot be used to guess passwords: after ten attempts even the right one waits", async () => {
  await db().query("update users set password_hash = $2 where id = $1", [ann.userId, await hashPassword(PASSWORD)]);
  const attempt = (currentPassword: string) =>
    errorOf(changePassword({ ...ann, sessionId: null, currentPassword, newPassword: "the new password" }));
  await attempt("a wrong password");
  await db().query("update sign_in_attempts set failures = 10");
  const refusal = await attempt(PASSWORD);
  expect(refusal).toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
  expect(refusal?.retryAfterSeconds).toBeGreaterThan(0);
});

test("after too many attempts, a person can sign in with a password that an operator set", async () => {
  await db().query("update users set password_hash = $2 where id = $1", [ann.userId, await hashPassword(PASSWORD)]);
  const signIn = () => checkSignIn(ann.email, "the new password", { address: "3.3.3.3" });
  await signIn();
  await errorOf(changePassword({ ...ann, sessionId: null, currentPassword: "?", newPassword: "the new password" }));
  await db().query("update sign_in_attempts set failures = 10");
  expect(await signIn()).toMatchObject({ status: "throttled" });
  await resetPassword(ann.userId, "the new password", ann.actor);
  expect(await signIn()).toMatchObject({ status: "signed_in" });
  const again = { currentPassword: "the new password", newPassword: "another password" };
  expect(await errorOf(changePassword({ ...ann, sessionId: null, ...again }))).toBeNull();
});

test("the first password can be chosen only in a session that has just started", async () => {
  await db().query("update users set password_hash = null where id = $1", [ann.userId]);
  const { sessionId } = await addSession(ann.userId);
  const choose = (asking: string | null) =>
    errorOf(changePassword({ ...ann, sessionId: asking, currentPassword: null, newPassword: "the new password" }));
  const { sessionId: foreign } = await addSession((await addMember(ann.workspaceId, "viewer")).userId);
  await db().query("update user_sessions set created_at = now() - interval '11 minutes' where id = $1", [sessionId]);
  for (const asking of [sessionId, foreign, null]) {
    expect(await choose(asking)).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("Sign in again"),
    });
  }
  expect(await choose((await addSession(ann.userId)).sessionId)).toBeNull();
});

test("a session ends seven days after the sign-in, however often it is used", async () => {
  const session = await addSession(ann.userId);
  const age = (text: string) =>
    db().query("update user_sessions set created_at = now() - $2::interval, last_seen_at = now() where id = $1", [
      session.sessionId,
      text,
    ]);
  await age("6 days 23 hours");
  expect(await findMember(session, null)).not.toBeNull();
  expect(await listSessions(ann.userId, null)).toHaveLength(1);
  await age("7 days 1 second");
  expect(await findMember(session, null)).toBeNull();
  expect(await listSessions(ann.userId, null)).toEqual([]);
});

test("signing out everywhere ends all current sessions, and not the next one", async () => {
  const session = await addSession(ann.userId);
  await signOutEverywhere(ann.userId, ann.actor);
  expect(await findMember(session, null)).toBeNull();
  expect(await findMember(await addSession(ann.userId, 1), null)).not.toBeNull();
});

test("a sign-in is recorded with its method, second factor, address and browser, for its own person", async () => {
  const client = { address: "192.0.2.7", userAgent: "Firefox" };
  await startSession({ userId: ann.userId, name: "Ann", method: "password", secondFactor: "authenticator", client });
  const { data } = await listAccountActivity(ann.userId, { limit: 1 });
  expect(data).toMatchObject([
    {
      action: "user.signed_in",
      details: { method: "password", second_factor: "authenticator", address: "192.0.2.7", user_agent: "Firefox" },
    },
  ]);
});

test("a name changes everywhere at once", async () => {
  expect(await updateAccount({ ...ann, name: "Ann Lee" })).toMatchObject({ name: "Ann Lee", email: ann.email });
  expect(await findMember(await addSession(ann.userId), null)).toMatchObject({ name: "Ann Lee" });
});

test("one person has several workspaces, and owns at most ten", async () => {
  const made = await createOwnWorkspace({ ...ann, name: "Second", timeZone: "Europe/Berlin" });
  expect(made).toMatchObject({ name: "Second", slug: "second", role: "owner", plan: "free" });
  expect((await listWorkspaces(ann.userId)).map(({ name, role }) => [name, role])).toEqual([
    ["Second", "owner"],
    ["Test", "admin"],
  ]);
  const rest = Array.from({ length: 10 }, (_, number) => errorOf(createOwnWorkspace({ ...ann, name: `W${number}` })));
  const refused = (await Promise.all(rest)).filter((error) => error !== null);
  expect(refused).toMatchObject([{ code: "FORBIDDEN" }]);
});

test("settings change only the given fields, and the audit log keeps the old values", async () => {
  const changed = await updateWorkspace({ ...ann, changes: { forbid_self_approval: true, run_retention_days: 7 } });
  expect(changed).toMatchObject({ name: "Test", time_zone: "UTC", forbid_self_approval: true, run_retention_days: 7 });
  await updateWorkspace({ ...ann, changes: { forbid_self_approval: true } });
  await updateWorkspace({ ...ann, changes: { run_retention_days: null } });
  const { rows } = await db().query("select action, details from audit_events where workspace_id = $1", [
    ann.workspaceId,
  ]);
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(
    expect.arrayContaining([
      {
        action: "workspace.updated",
        details: { forbid_self_approval: { from: false, to: true }, run_retention_days: { from: null, to: 7 } },
      },
      { action: "workspace.updated", details: { run_retention_days: { from: 7, to: null } } },
    ]),
  );
});
