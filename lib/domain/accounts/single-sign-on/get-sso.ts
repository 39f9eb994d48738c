import type { SsoRule, SsoState } from "#lib/contract/account/sso";
import { findOidcProvider, oidcSubject } from "#lib/domain/accounts/list-sign-in-services";
import { env } from "#lib/platform/config/env";
import type { OidcProvider } from "#lib/platform/config/oidc-provider-setting";
import { array, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { type PrismaDb, prisma } from "#lib/platform/db/prisma";

const selectIdentities = defineStatement({
  name: "list_own_oidc_identities",
  params: { userId: uuid },
  row: { subject: text, groups: nullable(array(text)) },
  sql: "select subject, groups from user_identities where user_id = $1 and provider = 'oidc'",
  isPrepared: false,
});

/** Finds the person's groups at a provider; null if their last sign-in sent none. */
export async function findOwnGroups(on: Db, userId: string, { issuer }: OidcProvider): Promise<string[] | null> {
  const identities = await selectIdentities.all(on, { userId });
  return identities.find(({ subject }) => subject.startsWith(oidcSubject(issuer, "")))?.groups ?? null;
}

/** Lists the providers that a workspace may use. */
export function listWorkspaceProviders(slug: string): OidcProvider[] {
  return env().OIDC_PROVIDERS.filter(({ workspaces }) => workspaces?.includes(slug) ?? true);
}

interface SsoRequest {
  workspaceId: string;
  userId: string;
  sessionId: string | null;
}

/** Returns how people become members of a workspace by single sign-on, and what the caller can choose. */
export async function getSso({ workspaceId, userId, sessionId }: SsoRequest): Promise<SsoState> {
  const [workspace, sessionProvider, rule] = await Promise.all([
    prisma().workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { slug: true } }),
    findSessionProvider(prisma(), userId, sessionId),
    findSsoRule(prisma(), workspaceId),
  ]);
  const providers = listWorkspaceProviders(workspace.slug).map(async (provider) => {
    const { name, label, icon = null } = provider;
    return { name, label, icon, own_groups: await findOwnGroups(db(), userId, provider) };
  });
  return { providers: await Promise.all(providers), session_provider: sessionProvider, rule };
}

/** Finds the provider that a session started from. */
export async function findSessionProvider(on: PrismaDb, userId: string, sessionId: string | null) {
  if (sessionId === null) return null;
  const session = await on.userSession.findFirst({ where: { id: sessionId, userId }, select: { provider: true } });
  return session?.provider ?? null;
}

/** Finds the rule of a workspace. */
export async function findSsoRule(on: PrismaDb, workspaceId: string): Promise<SsoRule | null> {
  const row = await on.workspaceSso.findUnique({ where: { workspaceId } });
  if (!row) return null;
  return {
    provider: row.provider,
    provider_label: findOidcProvider(row.provider)?.label ?? null,
    group_roles: row.groupRoles as SsoRule["group_roles"],
    default_role: row.defaultRole as SsoRule["default_role"],
    email_domains: row.emailDomains,
    is_required: row.isRequired,
  };
}
