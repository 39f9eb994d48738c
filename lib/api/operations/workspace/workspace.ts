import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { type Caller, sessionOf } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { pageInput } from "#lib/api/operations/define/list-page";
import { ssoRuleInput, ssoSchema } from "#lib/contract/account/sso-schema";
import { wireListOf, wirePageOf } from "#lib/contract/wire/wire-values";
import { createWorkspaceInput, updateWorkspaceInput } from "#lib/contract/workspace/workspace-inputs";
import {
  auditEventSchema,
  membershipSchema,
  membersWithoutTwoStepSchema,
  usageSchema,
  workspaceSettingsSchema,
} from "#lib/contract/workspace/workspace-schema";
import { createOwnWorkspace } from "#lib/domain/accounts/create-own-workspace";
import { getSso } from "#lib/domain/accounts/single-sign-on/get-sso";
import { setRequiredSso, setSsoRule } from "#lib/domain/accounts/single-sign-on/set-sso-rule";
import { listMembersWithoutTwoStep } from "#lib/domain/accounts/two-step/list-members-without-two-step";
import { setTwoStepRule } from "#lib/domain/accounts/two-step/set-two-step-rule";
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
  isAboutAccount: true,
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

export const listMembersWithoutTwoStepOperation = defineOperation({
  name: "list_members_without_two_step",
  title: "List members without two-step verification",
  description: "Lists the members who have no second factor.",
  scope: "web",
  role: "admin",
  input: z.object({}),
  output: membersWithoutTwoStepSchema,
  run: (caller) => listMembersWithoutTwoStep(caller.workspaceId),
});

export const setTwoStepRuleOperation = defineOperation({
  name: "set_two_step_rule",
  title: "Require two-step verification",
  description: "Requires two-step verification from every member, or no longer requires it.",
  scope: "web",
  role: "admin",
  input: z.object({ is_required: z.boolean() }),
  output: workspaceSettingsSchema,
  run: (caller, { is_required: isRequired }) => {
    const { workspaceId, userId: actorUserId } = caller;
    return setTwoStepRule({
      workspaceId,
      actorUserId,
      actor: actorOf(caller),
      sessionId: sessionOf(caller),
      isRequired,
    });
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

const changeOf = (caller: Caller) => ({
  workspaceId: caller.workspaceId,
  actor: actorOf(caller),
  actorUserId: caller.userId,
  sessionId: sessionOf(caller),
});

const readSso = (caller: Caller) =>
  getSso({ workspaceId: caller.workspaceId, userId: caller.userId, sessionId: sessionOf(caller) });

const getSsoOperation = defineOperation({
  name: "get_sso",
  title: "Get single sign-on",
  description: "Returns how people become members of the workspace by single sign-on.",
  scope: "web",
  role: "admin",
  input: z.object({}),
  output: ssoSchema,
  run: (caller) => readSso(caller),
});

const setSsoRuleOperation = defineOperation({
  name: "set_sso_rule",
  title: "Set up single sign-on",
  description: "Decides which people of a provider are members of the workspace, and in which role.",
  scope: "web",
  role: "admin",
  input: z.object({ rule: ssoRuleInput.nullable() }),
  output: ssoSchema,
  run: async (caller, { rule }) => {
    await setSsoRule(changeOf(caller), rule);
    return readSso(caller);
  },
});

const setRequiredSsoOperation = defineOperation({
  name: "set_required_sso",
  title: "Require single sign-on",
  description: "Opens the workspace only to people who signed in through its provider, or no longer does.",
  scope: "web",
  role: "admin",
  isWayBack: true,
  input: z.object({ is_required: z.boolean() }),
  output: ssoSchema,
  run: async (caller, { is_required: isRequired }) => {
    await setRequiredSso(changeOf(caller), isRequired);
    return readSso(caller);
  },
});

export const SSO_OPERATIONS = [getSsoOperation, setSsoRuleOperation, setRequiredSsoOperation] as const;
