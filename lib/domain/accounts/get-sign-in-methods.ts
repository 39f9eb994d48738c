import type { IdentityObject, SignInProvider } from "#lib/contract/web/account";
import { db } from "#lib/platform/db/pool";

interface StoredIdentity {
  provider: SignInProvider;
  subject: string;
  email: string;
  created_at: Date;
  last_used_at: Date;
}

/** The ways in which a person signs in. */
export async function getSignInMethods(
  userId: string,
): Promise<{ has_password: boolean; identities: IdentityObject[] }> {
  const [user, identities] = await Promise.all([
    db().query<{ has_password: boolean }>({
      text: "select password_hash is not null as has_password from users where id = $1",
      values: [userId],
    }),
    db().query<StoredIdentity>({
      text: `select provider, subject, email, created_at, last_used_at from user_identities
             where user_id = $1 order by created_at, subject`,
      values: [userId],
    }),
  ]);
  return {
    has_password: user.rows[0]?.has_password ?? false,
    identities: identities.rows.map(({ created_at: connectedAt, last_used_at: lastUsedAt, ...identity }) => ({
      ...identity,
      connected_at: connectedAt.toISOString(),
      last_used_at: lastUsedAt.toISOString(),
    })),
  };
}
