import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import type { Caller } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { pageInput } from "#lib/api/operations/define/list-page";
import { wirePageOf } from "#lib/contract/wire/wire-values";
import { ROLES } from "#lib/contract/workspace/roles";
import { createInviteInput } from "#lib/contract/workspace/workspace-inputs";
import {
  createdInviteSchema,
  inviteSchema,
  memberKeysSchema,
  memberSchema,
} from "#lib/contract/workspace/workspace-schema";
import { unlockMember } from "#lib/domain/accounts/attempts/unlock-account";
import { acceptInvite } from "#lib/domain/workspaces/invites/accept-invite";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { listInvites } from "#lib/domain/workspaces/invites/list-invites";
import { revokeInvite } from "#lib/domain/workspaces/invites/revoke-invite";
import { listMembers } from "#lib/domain/workspaces/list-members";
import { leaveWorkspace, removeMember } from "#lib/domain/workspaces/remove-member";
import { setMemberRole } from "#lib/domain/workspaces/set-member-role";

const roleInput = z.enum(ROLES);

/** Returns the caller as the member use cases take it. */
function askerOf(caller: Caller) {
  return { workspaceId: caller.workspaceId, actor: actorOf(caller), actorUserId: caller.userId };
}

export const listMembersOperation = defineOperation({
  name: "list_members",
  title: "List members",
  description: "Lists the members of the workspace with their roles.",
  scope: "web",
  role: "viewer",
  input: z.object(pageInput),
  output: wirePageOf(memberSchema),
  run: (caller, page) => listMembers(caller.workspaceId, page),
});

export const setMemberRoleOperation = defineOperation({
  name: "set_member_role",
  title: "Set member role",
  description: "Changes the role of a member. It applies from the member's next request.",
  scope: "web",
  role: "admin",
  input: z.object({ user_id: z.uuid(), role: roleInput }),
  output: memberSchema,
  run: (caller, input) => setMemberRole({ ...askerOf(caller), userId: input.user_id, role: input.role }),
});

export const removeMemberOperation = defineOperation({
  name: "remove_member",
  title: "Remove member",
  description: "Removes a member from the workspace. The member's next request is refused.",
  scope: "web",
  role: "admin",
  input: z.object({
    user_id: z.uuid(),
    keys: memberKeysSchema.optional().describe("The API keys that the member created. They are revoked by default."),
  }),
  output: z.object({ user_id: z.uuid(), removed: z.literal(true) }),
  run: async (caller, { user_id: userId, keys }) => {
    await removeMember({ ...askerOf(caller), userId, keys });
    return { user_id: userId, removed: true as const };
  },
});

export const unlockMemberOperation = defineOperation({
  name: "unlock_member",
  title: "Unlock member",
  description: "Lets a member sign in again at once after too many failed attempts.",
  scope: "web",
  role: "admin",
  input: z.object({ user_id: z.uuid() }),
  output: z.object({ user_id: z.uuid(), had_failures: z.boolean() }),
  run: async (caller, { user_id: userId }) => ({
    user_id: userId,
    had_failures: await unlockMember({ ...askerOf(caller), userId }),
  }),
});

export const leaveWorkspaceOperation = defineOperation({
  name: "leave_workspace",
  title: "Leave workspace",
  description: "Ends your own membership.",
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
  description: "Lists the invites that are still open.",
  scope: "web",
  role: "admin",
  input: z.object(pageInput),
  output: wirePageOf(inviteSchema),
  run: (caller, page) => listInvites(caller.workspaceId, page),
});

export const createInviteOperation = defineOperation({
  name: "create_invite",
  title: "Create invite",
  description: "Creates a link that lets one email address join. Only this answer contains the link.",
  scope: "web",
  role: "admin",
  input: createInviteInput,
  output: createdInviteSchema,
  run: (caller, input) => createInvite({ ...askerOf(caller), ...input }),
});

export const revokeInviteOperation = defineOperation({
  name: "revoke_invite",
  title: "Revoke invite",
  description: "Revokes an open invite.",
  scope: "web",
  role: "admin",
  input: z.object({ invite_id: z.uuid() }),
  output: z.object({ invite_id: z.uuid(), revoked: z.literal(true) }),
  run: async (caller, { invite_id: inviteId }) => {
    await revokeInvite({ ...askerOf(caller), inviteId });
    return { invite_id: inviteId, revoked: true as const };
  },
});

/** Any signed-in user: the invite is for another workspace than the one the user is in. */
export const acceptInviteOperation = defineOperation({
  name: "accept_invite",
  title: "Accept invite",
  description: "Joins a workspace with an invite to your own email address.",
  scope: "web",
  role: "viewer",
  isAboutAccount: true,
  input: z.object({ invite: z.string().min(1).max(200) }),
  output: z.object({ workspace_id: z.uuid(), role: z.enum(ROLES) }),
  run: async (caller, { invite }) => {
    const { workspaceId, role } = await acceptInvite(invite, caller.userId);
    return { workspace_id: workspaceId, role };
  },
});
