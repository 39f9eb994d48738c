import { beforeEach, describe, expect, test } from "vitest";
import type { ApiError } from "#lib/contract/error/api-error";
import { ROLES, type Role } from "#lib/contract/workspace/roles";
import { acceptInvite } from "#lib/domain/workspaces/invites/accept-invite";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { listInvites } from "#lib/domain/workspaces/invites/list-invites";
import { revokeInvite } from "#lib/domain/workspaces/invites/revoke-invite";
import { getMember, listMembers } from "#lib/domain/workspaces/list-members";
import { addMember, type TestMember } from "#lib/domain/workspaces/member.fixture";
import { leaveWorkspace, removeMember } from "#lib/domain/workspaces/remove-member";
import { setMemberRole } from "#lib/domain/workspaces/set-member-role";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { raceBehindLock } from "#lib/platform/db/test-race";

useTestDatabase();

let workspaceId: string;
let owner: TestMember;
let admin: TestMember;
let editor: TestMember;
beforeEach(async () => {
  const { userId, ...made } = await addWorkspace();
  workspaceId = made.workspaceId;
  owner = await addMember(workspaceId, "owner");
  await db().query("delete from workspace_members where user_id = $1", [userId]);
  admin = await addMember(workspaceId, "admin");
  editor = await addMember(workspaceId, "editor");
});

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "no error",
    (error: ApiError) => error.code,
  );
const roleOf = async ({ userId }: TestMember) =>
  getMember(db(), workspaceId, userId).then(
    ({ role }) => role,
    () => null,
  );
async function audited(): Promise<unknown[]> {
  const { rows } = await db().query(
    "select action, actor_id, object_id, details from audit_events where workspace_id = $1 order by action",
    [workspaceId],
  );
  return rows;
}
const tokenOf = ({ link }: { link: string }) => new URL(link).searchParams.get("invite") ?? "";

describe("roles", () => {
  test("are changed by admins, within their own role, and each change is in the audit log", async () => {
    expect(await setMemberRole({ ...admin, userId: editor.userId, role: "admin" })).toMatchObject({ role: "admin" });
    expect(await roleOf(editor)).toBe("admin");
    expect(await audited()).toEqual([
      {
        action: "member.role_changed",
        actor_id: admin.userId,
        object_id: editor.userId,
        details: { name: "editor", from: "editor", to: "admin" },
      },
    ]);
    await setMemberRole({ ...admin, userId: editor.userId, role: "admin" });
    expect(await audited()).toHaveLength(1);
  });

  test.each([
    ["admin", "editor", "owner"],
    ["admin", "owner", "editor"],
    ["editor", "admin", "viewer"],
    ["viewer", "viewer", "owner"],
  ] as const)("a member who is %s cannot make one who is %s %s", async (own, from, to) => {
    const asks = await addMember(workspaceId, own);
    const member = await addMember(workspaceId, from);
    expect(await codeOf(setMemberRole({ ...asks, userId: member.userId, role: to }))).toBe("FORBIDDEN");
    expect(await roleOf(member)).toBe(from);
  });

  test("the last owner cannot leave, but can when there is another", async () => {
    expect(await codeOf(setMemberRole({ ...owner, userId: owner.userId, role: "admin" }))).toBe("LAST_OWNER");
    expect(await codeOf(leaveWorkspace(owner))).toBe("LAST_OWNER");
    expect(await codeOf(removeMember({ ...owner, userId: owner.userId }))).toBe("LAST_OWNER");
    await setMemberRole({ ...owner, userId: editor.userId, role: "owner" });
    await leaveWorkspace(owner);
    expect([await roleOf(owner), await roleOf(editor)]).toEqual([null, "owner"]);
  });

  test("of two owners who remove each other at the same moment one remains", async () => {
    const other = await addMember(workspaceId, "owner");
    const results = await raceBehindLock(
      { text: "select 1 from workspaces where id = $1 for update", values: [workspaceId] },
      [
        () => setMemberRole({ ...owner, userId: other.userId, role: "viewer" }),
        () => setMemberRole({ ...other, userId: owner.userId, role: "viewer" }),
      ],
    );
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "FORBIDDEN" } });
    expect([await roleOf(owner), await roleOf(other)].sort()).toEqual(["owner", "viewer"]);
  });

  test("a role that the person lost after the request was sent no longer counts", async () => {
    await db().query("update workspace_members set role = 'viewer' where user_id = $1", [admin.userId]);
    expect(await codeOf(removeMember({ ...admin, userId: editor.userId }))).toBe("FORBIDDEN");
  });
});

describe("removing", () => {
  test("ends a membership and the invites that person created, and is audited", async () => {
    const invite = await createInvite({ ...admin, email: "back@example.com", role: "admin" });
    await removeMember({ ...owner, userId: admin.userId });
    expect(await roleOf(admin)).toBeNull();
    expect((await listInvites(workspaceId, { limit: 10 })).data).toEqual([]);
    expect(await codeOf(acceptInvite(tokenOf(invite), admin.userId))).toBe("FORBIDDEN");
    expect(await audited()).toMatchObject([
      { action: "member.invited" },
      { action: "member.removed", actor_id: owner.userId, object_id: admin.userId, details: { role: "admin" } },
    ]);
  });

  const addKey = (name: string, createdBy: string) =>
    db().query(
      `insert into api_keys (id, workspace_id, name, prefix, salt, secret_hash, scopes, created_by)
       values (gen_random_uuid(), $1, $2, 'svc_abcd', decode(repeat('00', 16), 'hex'), decode(repeat('00', 32), 'hex'), '{}', $3)`,
      [workspaceId, name, createdBy],
    );

  test("revokes the keys that the member created, unless another administrator takes them", async () => {
    const keys = async () =>
      (await db().query("select name, is_active, created_by from api_keys order by name")).rows as unknown[];
    await addKey("a", editor.userId);
    await addKey("b", admin.userId);
    const give = (to: string) =>
      codeOf(removeMember({ ...owner, userId: editor.userId, keys: { fate: "transfer", to_user_id: to } }));
    // Refused as a whole: the member stays, and so do the keys.
    expect(await give(editor.userId)).toBe("BAD_REQUEST");
    expect(await give((await addWorkspace()).userId)).toBe("BAD_REQUEST");
    expect(await roleOf(editor)).toBe("editor");
    expect(await give(admin.userId)).toBe("no error");
    expect(await keys()).toEqual([
      { name: "a", is_active: true, created_by: admin.userId },
      { name: "b", is_active: true, created_by: admin.userId },
    ]);
    await removeMember({ ...owner, userId: admin.userId });
    expect(await keys()).toMatchObject([
      { name: "a", is_active: false },
      { name: "b", is_active: false },
    ]);
    expect(await audited()).toMatchObject([
      { action: "key.revoked" },
      { action: "key.revoked" },
      { action: "key.transferred" },
      { action: "member.removed" },
      { action: "member.removed" },
    ]);
  });

  test("names the administrator who takes a key in the audit log", async () => {
    await addKey("a", editor.userId);
    await removeMember({ ...owner, userId: editor.userId, keys: { fate: "transfer", to_user_id: admin.userId } });
    expect(await audited()).toMatchObject([
      { action: "key.transferred", details: { name: "a", to: "admin", to_user_id: admin.userId } },
      { action: "member.removed" },
    ]);
  });

  test("cannot remove a member above one's own role, or in another workspace", async () => {
    expect(await codeOf(removeMember({ ...admin, userId: owner.userId }))).toBe("FORBIDDEN");
    const { userId } = await addWorkspace();
    expect(await codeOf(removeMember({ ...owner, userId }))).toBe("NOT_FOUND");
  });
});

describe("an invite", () => {
  test("shows its link once, and only a hash of it is stored", async () => {
    const { link, ...shown } = await createInvite({ ...admin, email: "new@example.com", role: "approver" });
    expect(shown).toMatchObject({ email: "new@example.com", role: "approver", invited_by: "admin", status: "open" });
    const lifeMs = Date.parse(shown.expires_at) - Date.parse(shown.created_at);
    expect(lifeMs).toBe(7 * 86_400_000);
    expect((await listInvites(workspaceId, { limit: 10 })).data).toEqual([shown]);
    const token = tokenOf({ link });
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const { rows } = await db().query("select i::text as row from workspace_invites i");
    expect(JSON.stringify([rows, await audited()])).not.toContain(token);
  });

  test("lets a person with an account in once, with its role", async () => {
    const elsewhere = await addWorkspace();
    const guest = await addMember(elsewhere.workspaceId, "viewer");
    const token = tokenOf(await createInvite({ ...admin, email: guest.email, role: "editor" }));
    expect(await acceptInvite(token, guest.userId)).toEqual({ workspaceId, role: "editor" });
    expect(await roleOf(guest)).toBe("editor");
    expect(await codeOf(acceptInvite(token, guest.userId))).toBe("FORBIDDEN");
  });

  test("is limited to its own address", async () => {
    const guest = await addMember((await addWorkspace()).workspaceId, "viewer");
    const token = tokenOf(await createInvite({ ...admin, email: "other@example.com", role: "editor" }));
    expect(await codeOf(acceptInvite(token, guest.userId))).toBe("FORBIDDEN");
    expect(await roleOf(guest)).toBeNull();
  });

  test("is replaced by the next one for the address, and can be withdrawn", async () => {
    const guest = await addMember((await addWorkspace()).workspaceId, "viewer");
    const first = await createInvite({ ...admin, email: guest.email, role: "admin" });
    const second = await createInvite({ ...admin, email: guest.email, role: "viewer" });
    expect(await codeOf(acceptInvite(tokenOf(first), guest.userId))).toBe("FORBIDDEN");
    await revokeInvite({ ...admin, inviteId: second.invite_id });
    expect(await codeOf(acceptInvite(tokenOf(second), guest.userId))).toBe("FORBIDDEN");
    expect(await codeOf(revokeInvite({ ...admin, inviteId: second.invite_id }))).toBe("NOT_FOUND");
  });

  test("cannot be created for a member, above one's own role, or below admin", async () => {
    expect(await codeOf(createInvite({ ...admin, email: editor.email, role: "viewer" }))).toBe("ALREADY_MEMBER");
    expect(await codeOf(createInvite({ ...admin, email: "new@example.com", role: "owner" }))).toBe("FORBIDDEN");
    expect(await codeOf(createInvite({ ...editor, email: "new@example.com", role: "viewer" }))).toBe("FORBIDDEN");
    expect(await codeOf(createInvite({ ...owner, email: "new@example.com", role: "owner" }))).toBe("no error");
  });

  test("of another workspace cannot be seen or withdrawn", async () => {
    const { invite_id: inviteId } = await createInvite({ ...admin, email: "new@example.com", role: "viewer" });
    const stranger = await addMember((await addWorkspace()).workspaceId, "owner");
    expect((await listInvites(stranger.workspaceId, { limit: 10 })).data).toEqual([]);
    expect(await codeOf(revokeInvite({ ...stranger, inviteId }))).toBe("NOT_FOUND");
  });
});

test("the list of members is paged, and can contain every role", async () => {
  for (const role of ROLES) await addMember(workspaceId, role satisfies Role);
  const first = await listMembers(workspaceId, { limit: 5 });
  expect(first.has_more).toBe(true);
  const second = await listMembers(workspaceId, { limit: 5, cursor: first.next_cursor ?? "" });
  const all = [...first.data, ...second.data];
  expect(new Set(all.map((member) => member.user_id)).size).toBe(8);
  expect(all).toContainEqual(expect.objectContaining({ user_id: owner.userId, role: "owner", active_keys: 0 }));
});
