import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import type { Caller } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { pageInput } from "#lib/api/operations/define/list-page";
import { createInviteInput } from "#lib/contract/inputs/workspace-inputs";
import { ROLES } from "#lib/contract/roles";
import { wirePageOf } from "#lib/contract/schemas/page-schema";
import { createdInviteSchema, inviteSchema, memberSchema } from "#lib/contract/schemas/workspace-schema";
import { acceptInvite } from "#lib/domain/workspaces/invites/accept-invite";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { listInvites } from "#lib/domain/workspaces/invites/list-invites";
import { revokeInvite } from "#lib/domain/workspaces/invites/revoke-invite";
import { listMembers } from "#lib/domain/workspaces/list-members";
import { leaveWorkspace, removeMember } from "#lib/domain/workspaces/remove-member";
import { setMemberRole } from "#lib/domain/workspaces/set-member-role";

const roleInput = z.enum(ROLES);

/** Who asks, as every use case about people takes it. */
function askerOf(caller: Caller) {
  return { workspaceId: caller.workspaceId, actor: actorOf(caller), actorUserId: caller.userId };
}

export const listMembersOperation = defineOperation({
  name: "list_members",
  title: "List members",
  description: "The people of the workspace, with their roles.",
  scope: "web",
  role: "viewer",
  input: z.object(pageInput),
  output: wirePageOf(memberSchema),
  run: (caller, page) => listMembers(caller.workspaceId, page),
});

export const setMemberRoleOperation = defineOperation({
  name: "set_member_role",
  title: "Set member role",
  description: "Gives a member another role, which holds from their next request on.",
  scope: "web",
  role: "admin",
  input: z.object({ user_id: z.uuid(), role: roleInput }),
  output: memberSchema,
  run: (caller, input) => setMemberRole({ ...askerOf(caller), userId: input.user_id, role: input.role }),
});

export const removeMemberOperation = defineOperation({
  name: "remove_member",
  title: "Remove member",
  description: "Takes somebody out of the workspace; their next request is refused.",
  scope: "web",
  role: "admin",
  input: z.object({ user_id: z.uuid() }),
  output: z.object({ user_id: z.uuid(), removed: z.literal(true) }),
  run: async (caller, { user_id: userId }) => {
    await removeMember({ ...askerOf(caller), userId });
    return { user_id: userId, removed: true as const };
  },
});

export const leaveWorkspaceOperation = defineOperation({
  name: "leave_workspace",
  title: "Leave workspace",
  description: "Ends one's own membership.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: z.object({ workspace_id: z.uuid(), left: z.literal(true) }),
  run: async (caller) => {
    const { workspaceId, userId } = caller;
    await leaveWorkspace({ workspaceId, userId, actor: actorOf(caller) });
    return { workspace_id: workspaceId, left: true as const };
  },
});

export const listInvitesOperation = defineOperation({
  name: "list_invites",
  title: "List invites",
  description: "Invites that nobody used yet.",
  scope: "web",
  role: "admin",
  input: z.object(pageInput),
  output: wirePageOf(inviteSchema),
  run: (caller, page) => listInvites(caller.workspaceId, page),
});

export const createInviteOperation = defineOperation({
  name: "create_invite",
  title: "Create invite",
  description: "Makes a link that lets one address in. The link is in this answer and never again.",
  scope: "web",
  role: "admin",
  input: createInviteInput,
  output: createdInviteSchema,
  run: (caller, input) => createInvite({ ...askerOf(caller), ...input }),
});

export const revokeInviteOperation = defineOperation({
  name: "revoke_invite",
  title: "Revoke invite",
  description: "Ends an invite that nobody used.",
  scope: "web",
  role: "admin",
  input: z.object({ invite_id: z.uuid() }),
  output: z.object({ invite_id: z.uuid(), revoked: z.literal(true) }),
  run: async (caller, { invite_id: inviteId }) => {
    await revokeInvite({ ...askerOf(caller), inviteId });
    return { invite_id: inviteId, revoked: true as const };
  },
});

/** Anybody who is signed in: it is about another workspace than the one they stand in. */
export const acceptInviteOperation = defineOperation({
  name: "accept_invite",
  title: "Accept invite",
  description: "Joins the workspace of an invite for one's own address.",
  scope: "web",
  role: "viewer",
  input: z.object({ invite: z.string().min(1).max(200) }),
  output: z.object({ workspace_id: z.uuid(), role: z.enum(ROLES) }),
  run: async (caller, { invite }) => {
    const { workspaceId, role } = await acceptInvite(invite, caller.userId);
    return { workspace_id: workspaceId, role };
  },
});
