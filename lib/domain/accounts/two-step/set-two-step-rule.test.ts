import { beforeEach, expect, test } from "vitest";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { enrollTotp } from "#lib/domain/accounts/two-step/authenticator.fixture";
import { getTwoStep } from "#lib/domain/accounts/two-step/get-two-step";
import { listMembersWithoutTwoStep } from "#lib/domain/accounts/two-step/list-members-without-two-step";
import { setTwoStepRule } from "#lib/domain/accounts/two-step/set-two-step-rule";
import { turnOffTwoStep } from "#lib/domain/accounts/two-step/turn-off-two-step";
import { findMember, type SessionClaims } from "#lib/domain/workspaces/find-member";
import { addMember, type TestMember } from "#lib/domain/workspaces/member.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

let workspaceId: string;
let admin: TestMember;
let session: SessionClaims;
beforeEach(async () => {
  ({ workspaceId } = await addWorkspace());
  admin = await addMember(workspaceId, "admin");
  session = await addSession(admin.userId);
});

const set = (isRequired: boolean, { userId, actor }: TestMember = admin, { sessionId } = session) =>
  setTwoStepRule({ workspaceId, actor, actorUserId: userId, sessionId, isRequired });
const isRequired = async () =>
  (await db().query("select require_two_step from workspaces where id = $1", [workspaceId])).rows[0]?.require_two_step;

test("an admin requires two-step verification only with a second factor of their own", async () => {
  await expect(set(true)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect(await isRequired()).toBe(false);
  await enrollTotp(admin.userId, session.sessionId);
  expect(await set(true)).toMatchObject({ require_two_step: true });
  expect(await isRequired()).toBe(true);
});

test("a member below admin cannot change the rule", async () => {
  const editor = await addMember(workspaceId, "editor");
  const own = await addSession(editor.userId);
  await enrollTotp(editor.userId, own.sessionId);
  await expect(set(true, editor, own)).rejects.toMatchObject({ reason: "role_too_low" });
});

test("a stolen session cannot change the rule without a recent sign-in", async () => {
  await enrollTotp(admin.userId, session.sessionId);
  await set(true);
  await db().query("update user_sessions set verified_at = now() - interval '11 minutes'");
  await expect(set(false)).rejects.toMatchObject({ reason: "confirmation_needed" });
  expect(await isRequired()).toBe(true);
});

test("the audit log shows who changed the rule, and its old value, once per change", async () => {
  await enrollTotp(admin.userId, session.sessionId);
  await set(true);
  await set(true);
  await set(false);
  const { rows } = await db().query(
    "select actor_id, details from audit_events where workspace_id = $1 and action = 'workspace.updated' order by id",
    [workspaceId],
  );
  expect(rows).toEqual([
    { actor_id: admin.userId, details: { require_two_step: { from: false, to: true } } },
    { actor_id: admin.userId, details: { require_two_step: { from: true, to: false } } },
  ]);
});

test("the members who would be kept out are listed by name, and no one of another workspace", async () => {
  await enrollTotp(admin.userId, session.sessionId);
  const viewer = await addMember(workspaceId, "viewer");
  await addMember((await addWorkspace()).workspaceId, "viewer");
  const { data, total } = await listMembersWithoutTwoStep(workspaceId);
  expect(data.map(({ name }) => name)).toEqual(["Owner", "viewer"]);
  expect(data[1]).toEqual({ user_id: viewer.userId, name: "viewer", email: viewer.email });
  expect(total).toBe(2);
});

test("a member sees which of their workspaces require two-step verification", async () => {
  const other = await addWorkspace();
  const join = "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'viewer')";
  await db().query(join, [other.workspaceId, admin.userId]);
  await enrollTotp(admin.userId, session.sessionId);
  expect((await getTwoStep(admin.userId)).required_by).toEqual([]);
  await set(true);
  expect((await getTwoStep(admin.userId)).required_by).toEqual(["Test"]);
});

test("a member whose last factor is removed is kept out from the next request on", async () => {
  await enrollTotp(admin.userId, session.sessionId);
  await set(true);
  expect(await findMember(session, workspaceId)).toMatchObject({ missing: null });
  await turnOffTwoStep(admin.userId, admin.actor);
  expect(await findMember(await addSession(admin.userId, 2), workspaceId)).toMatchObject({ missing: "two_step" });
});
