import { createHash } from "node:crypto";
import { oidcSubject } from "#lib/domain/accounts/list-sign-in-services";
import { takeSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";
import { recordAudit } from "#lib/domain/audit/record-audit";
import type { OidcProvider } from "#lib/platform/config/oidc-provider-setting";
import { nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { prismaTransaction } from "#lib/platform/db/prisma";

/** A logout that an OpenID Connect provider has signed. */
export interface ProviderLogout {
  /** Unique among the provider's logouts. */
  jti: string;
  /** The session to end; null for every session of the person. */
  sid: string | null;
  /** The person; null if only the session is named. */
  sub: string | null;
  /** When the token is refused for its age. */
  expiresAt: Date;
}

const selectUsed = defineStatement({
  name: "find_used_provider_logout",
  params: { id: uuid },
  row: { id: uuid },
  sql: "select id from used_sign_in_tokens where id = $1",
  isPrepared: false,
});

const deleteSessions = defineStatement({
  name: "end_provider_sessions",
  params: { provider: text, sid: nullable(text), subject: nullable(text) },
  row: { user_id: uuid },
  // A session that started before the provider named its sessions has no sid. The person alone decides then.
  sql: `delete from user_sessions s
        where s.provider = $1 and (s.provider_sid = $2 or (($2::text is null or s.provider_sid is null) and exists (
          select 1 from user_identities i where i.provider = 'oidc' and i.subject = $3 and i.user_id = s.user_id)))
        returning s.user_id`,
  isPrepared: false,
});

/** Recorded as the actor: the provider made the change. */
const SERVICE = { type: "system", id: null, name: null } as const;

/**
 * Ends the sessions that started from a provider's session, or from any session of a person there.
 * @returns how many ended; null if this logout was already carried out
 */
export async function endProviderSessions(provider: OidcProvider, logout: ProviderLogout): Promise<number | null> {
  const { jti, sid, sub, expiresAt } = logout;
  return prismaTransaction(async (tx) => {
    if (!(await takeSignInToken(tx, { id: idOf(provider, "jti", jti), expiresAt }))) return null;
    if (sid !== null) await takeSignInToken(tx, { id: idOf(provider, "sid", sid), expiresAt });
    const subject = sub === null ? null : oidcSubject(provider.issuer, sub);
    const ended = await deleteSessions.all(tx, { provider: provider.name, sid, subject });
    for (const [userId, { length: count }] of Map.groupBy(ended, (row) => row.user_id)) {
      const entry = { action: "user.sessions_ended" as const, objectType: "user", objectId: userId };
      const details = { count, provider: provider.name };
      await recordAudit(tx, { ...entry, workspaceId: null, actor: SERVICE, details });
    }
    return ended.length;
  });
}

/** Whether the provider ended its session while the person was still at the second step of our sign-in. */
export async function hasProviderEnded(provider: OidcProvider, sid: string): Promise<boolean> {
  return (await selectUsed.first(db(), { id: idOf(provider, "sid", sid) })) !== null;
}

/** Returns an id for a name that is unique only at its provider. */
function idOf({ issuer }: OidcProvider, kind: "jti" | "sid", name: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([issuer, kind, name]))
    .digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20, 32)}`;
}
