import type { z } from "zod";
import type { SsoRule } from "#lib/contract/account/sso";
import type { ssoRuleInput } from "#lib/contract/account/sso-schema";
import { ApiError } from "#lib/contract/error/api-error";
import { requireRecentSignIn } from "#lib/domain/accounts/require-recent-sign-in";
import {
  findOwnGroups,
  findSessionProvider,
  findSsoRule,
  listWorkspaceProviders,
} from "#lib/domain/accounts/single-sign-on/get-sso";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { lockMembers } from "#lib/domain/workspaces/lock-members";
import { lockWorkspace } from "#lib/domain/workspaces/lock-workspace";
import type { OidcProvider } from "#lib/platform/config/oidc-provider-setting";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

interface SsoChange {
  workspaceId: string;
  actor: Actor;
  actorUserId: string;
  sessionId: string | null;
}

type RuleInput = z.output<typeof ssoRuleInput>;

/**
 * Decides which people of a provider are members of a workspace, from their next sign-in on. Without a rule, and with
 * another provider, the memberships that the old one kept become ordinary ones: no one loses access unasked.
 * @throws ApiError FORBIDDEN below admin or without a recent sign-in, BAD_REQUEST unless the caller came through the
 * provider
 */
export async function setSsoRule(change: SsoChange, rule: RuleInput | null): Promise<void> {
  const { workspaceId, actorUserId, sessionId } = change;
  await prismaTransaction(async (tx) => {
    await lockMembers(tx, workspaceId, actorUserId, "admin");
    await requireRecentSignIn(tx, actorUserId, sessionId);
    const before = await findSsoRule(tx.prisma, workspaceId);
    const provider = rule === null ? null : await findUsable(tx, change, rule);
    const isKept = before !== null && before.provider === rule?.provider;
    if (before?.is_required && !isKept) {
      throw new ApiError("BAD_REQUEST", "This workspace requires single sign-on. Stop requiring it first.");
    }
    if (before !== null && !isKept) await releaseMembers(tx, workspaceId, before.provider);
    if (rule === null || provider === null) {
      await tx.prisma.workspaceSso.deleteMany({ where: { workspaceId } });
    } else {
      const data = {
        provider: provider.name,
        issuer: provider.issuer,
        groupRoles: rule.group_roles,
        defaultRole: rule.default_role,
        emailDomains: rule.email_domains,
        updatedAt: new Date(),
      };
      await tx.prisma.workspaceSso.upsert({ where: { workspaceId }, create: { workspaceId, ...data }, update: data });
    }
    await noteChange(tx, change, { from: before && withoutLabel(before), to: rule });
  });
}

/**
 * A provider's people get into a workspace only if one of its admins is among them now. Otherwise an admin could draw
 * the people of another company into a workspace. A connected account alone proves nothing: it stays connected when
 * the provider no longer lets the person in.
 */
async function findUsable(tx: PrismaTx, change: SsoChange, rule: RuleInput): Promise<OidcProvider> {
  const { workspaceId, actorUserId, sessionId } = change;
  const workspace = await tx.prisma.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { slug: true } });
  const provider = listWorkspaceProviders(workspace.slug).find(({ name }) => name === rule.provider);
  if (!provider) throw new ApiError("BAD_REQUEST", "provider: no provider with this name is set up for the workspace");
  const { label } = provider;
  if ((await findSessionProvider(tx.prisma, actorUserId, sessionId)) !== provider.name) {
    throw new ApiError("BAD_REQUEST", `Sign in with ${label} first to confirm that it works.`);
  }
  const groups = await findOwnGroups(tx, actorUserId, provider);
  if (rule.group_roles.length > 0 && groups === null) {
    throw new ApiError(
      "BAD_REQUEST",
      `${label} sent no claim "${provider.claims.groups}" at your last sign-in. Add it at the provider, and sign in again.`,
    );
  }
  return provider;
}

async function releaseMembers(tx: PrismaTx, workspaceId: string, provider: string): Promise<void> {
  await tx.prisma.workspaceMember.updateMany({ where: { workspaceId, provider }, data: { provider: null } });
}

function withoutLabel({ provider_label: _, ...rule }: SsoRule) {
  return rule;
}

/**
 * Decides whether a workspace opens only to sessions that started from its provider, from the next request on.
 * `requireSession` lets an owner with a second factor turn it off again.
 * @throws ApiError FORBIDDEN below admin or without a recent sign-in, BAD_REQUEST without a rule, or unless the caller
 * came through the provider
 */
export async function setRequiredSso(change: SsoChange, isRequired: boolean): Promise<void> {
  const { workspaceId, actorUserId, sessionId } = change;
  await prismaTransaction(async (tx) => {
    await lockMembers(tx, workspaceId, actorUserId, "admin");
    await requireRecentSignIn(tx, actorUserId, sessionId);
    const before = await findSsoRule(tx.prisma, workspaceId);
    if (before === null) throw new ApiError("BAD_REQUEST", "Choose a provider for this workspace first.");
    if (isRequired && (await findSessionProvider(tx.prisma, actorUserId, sessionId)) !== before.provider) {
      const label = before.provider_label ?? before.provider;
      throw new ApiError(
        "BAD_REQUEST",
        `Sign in with ${label} first. Otherwise, this change would lock you out of the workspace.`,
      );
    }
    await writeRequirement(tx, change, { wasRequired: before.is_required, isRequired });
  });
}

/**
 * Opens a workspace that requires single sign-on again, on behalf of the operator.
 * @returns whether it was required
 */
export async function resetRequiredSso(workspaceId: string, actor: Actor): Promise<boolean> {
  return prismaTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const wasRequired = (await findSsoRule(tx.prisma, workspaceId))?.is_required === true;
    await writeRequirement(tx, { workspaceId, actor }, { wasRequired, isRequired: false });
    return wasRequired;
  });
}

async function writeRequirement(
  tx: PrismaTx,
  change: Pick<SsoChange, "workspaceId" | "actor">,
  { wasRequired, isRequired }: { wasRequired: boolean; isRequired: boolean },
): Promise<void> {
  if (wasRequired === isRequired) return;
  const where = { workspaceId: change.workspaceId, isRequired: wasRequired };
  await tx.prisma.workspaceSso.updateMany({ where, data: { isRequired, updatedAt: new Date() } });
  await noteChange(tx, change, { is_required: { from: wasRequired, to: isRequired } });
}

async function noteChange(
  tx: PrismaTx,
  { workspaceId, actor }: Pick<SsoChange, "workspaceId" | "actor">,
  details: Parameters<typeof recordAudit>[1]["details"] & object,
): Promise<void> {
  const entry = { action: "workspace.sso_changed" as const, objectType: "workspace", objectId: workspaceId };
  await recordAudit(tx, { ...entry, workspaceId, actor, details });
}
