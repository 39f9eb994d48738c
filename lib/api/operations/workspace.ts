import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { pageInput } from "#lib/api/operations/define/list-page";
import { createWorkspaceInput, updateWorkspaceInput } from "#lib/contract/inputs/workspace-inputs";
import { wireListOf, wirePageOf } from "#lib/contract/schemas/page-schema";
import {
  auditEventSchema,
  membershipSchema,
  usageSchema,
  workspaceSettingsSchema,
} from "#lib/contract/schemas/workspace-schema";
import { createOwnWorkspace } from "#lib/domain/accounts/create-own-workspace";
import { listAuditEvents } from "#lib/domain/audit/list-audit-events";
import { getPlanUsage } from "#lib/domain/usage/get-plan-usage";
import { getWorkspaceSettings } from "#lib/domain/workspaces/get-workspace-settings";
import { listWorkspaces } from "#lib/domain/workspaces/list-workspaces";
import { updateWorkspace } from "#lib/domain/workspaces/update-workspace";
import { prisma } from "#lib/platform/db/prisma";

export const listWorkspacesOperation = defineOperation({
  name: "list_workspaces",
  title: "List workspaces",
  description: "Lists the workspaces that the signed-in user belongs to.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: wireListOf(membershipSchema),
  run: async (caller) => ({ data: await listWorkspaces(caller.userId) }),
});

/** Any signed-in user: it does not depend on a role in the current workspace. */
export const createWorkspaceOperation = defineOperation({
  name: "create_workspace",
  title: "Create workspace",
  description: "Creates another workspace, owned by the signed-in user.",
  scope: "web",
  role: "viewer",
  input: createWorkspaceInput,
  output: membershipSchema,
  run: (caller, { name, time_zone: timeZone }) =>
    createOwnWorkspace({
      userId: caller.userId,
      actor: actorOf(caller),
      name,
      ...(timeZone === undefined ? {} : { timeZone }),
    }),
});

export const getWorkspaceOperation = defineOperation({
  name: "get_workspace",
  title: "Get workspace",
  description: "Returns the workspace's settings.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: workspaceSettingsSchema,
  run: (caller) => getWorkspaceSettings(prisma(), caller.workspaceId),
});

export const updateWorkspaceOperation = defineOperation({
  name: "update_workspace",
  title: "Update workspace",
  description: "Changes settings of the workspace. Settings that you leave out do not change.",
  scope: "web",
  role: "admin",
  input: updateWorkspaceInput,
  output: workspaceSettingsSchema,
  run: (caller, input) => {
    const given = Object.entries(input).filter(([, value]) => value !== undefined);
    const { workspaceId, userId } = caller;
    const changes = Object.fromEntries(given);
    return updateWorkspace({ workspaceId, actor: actorOf(caller), actorUserId: userId, changes });
  },
});

export const getUsageOperation = defineOperation({
  name: "get_usage",
  title: "Get usage",
  description: "Returns the limits of the plan and how much of each is used.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: usageSchema,
  run: (caller) => getPlanUsage(caller.workspaceId, caller.userId),
});

export const listAuditEventsOperation = defineOperation({
  name: "list_audit_events",
  title: "List audit events",
  description: "Lists who did what in the workspace, newest first.",
  scope: "web",
  role: "admin",
  input: z.object({
    ...pageInput,
    actor: z.union([z.uuid(), z.literal("system")]).optional(),
    action: z.string().min(1).max(100).optional(),
  }),
  output: wirePageOf(auditEventSchema),
  run: (caller, input) => listAuditEvents(caller.workspaceId, input),
});
