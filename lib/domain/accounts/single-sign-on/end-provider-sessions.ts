import { oidcSubject } from "#lib/domain/accounts/list-sign-in-services";
import { logoutIdOf, noteLogout } from "#lib/domain/accounts/provider-logouts";
import { takeSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";
import { recordAudit } from "#lib/domain/audit/record-audit";
import type { OidcProvider } from "#lib/platform/config/oidc-provider-setting";
import { nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
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

const deleteSessions = defineStatement({
  name: "end_provider_sessions",
  params: { provider: text, sid: nullable(text), subject: nullable(text) },
  row: { user_id: uuid },
  // A session without a sid started before the provider named its sessions. One without a subject started before we
  // stored it, and is found as long as the account is connected. The person alone decides for both.
  sql: `delete from user_sessions where id in (
          select id from user_sessions where provider = $1 and provider_sid = $2
          union all
          select id from user_sessions where provider_subject = $3 and ($2::text is null or provider_sid is null)
          union all
          select s.id from user_identities i join user_sessions s on s.user_id = i.user_id
          where i.provider = 'oidc' and i.subject = $3 and s.provider = $1 and s.provider_subject is null
            and ($2::text is null or s.provider_sid is null))
        returning user_id`,
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
    const subject = sub === null ? null : oidcSubject(provider.issuer, sub);
    if (!(await takeSignInToken(tx, { id: logoutIdOf(provider, "jti", jti), expiresAt }))) return null;
    // Before the sessions are read: a sign-in that finishes at the same time either sees this note, or is among them.
    await noteLogout(tx, provider, { sid, subject, expiresAt });
    const ended = await deleteSessions.all(tx, { provider: provider.name, sid, subject });
    for (const [userId, { length: count }] of Map.groupBy(ended, (row) => row.user_id)) {
      const entry = { action: "user.sessions_ended" as const, objectType: "user", objectId: userId };
      const details = { count, provider: provider.name };
      await recordAudit(tx, { ...entry, workspaceId: null, actor: SERVICE, details });
    }
    return ended.length;
  });
}
