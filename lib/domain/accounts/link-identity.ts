import { SIGN_IN_PROVIDERS, type SignInProvider } from "#lib/contract/web/account";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

/** An account of another service whose address the service has verified. */
export interface ProvenIdentity {
  provider: SignInProvider;
  /** The service's own id of the account. */
  subject: string;
  /** Normalised (normalizeEmail). */
  email: string;
}

const insertIdentity = defineStatement({
  name: "link_identity",
  params: { provider: enumOf(SIGN_IN_PROVIDERS), subject: text, userId: uuid, email: text },
  sql: `insert into user_identities (provider, subject, user_id, email) values ($1, $2, $3, $4)
        on conflict (provider, subject) do nothing`,
  isPrepared: false,
});

/** From now on this account of the other service signs this person in. One that belongs to somebody stays theirs. */
export async function linkIdentity(
  tx: Db,
  { provider, subject, email }: ProvenIdentity,
  user: { id: string; name: string },
): Promise<void> {
  const inserted = await insertIdentity.run(tx, { provider, subject, userId: user.id, email });
  if (inserted === 0) return;
  const entry = { workspaceId: null, action: "user.identity_linked", objectType: "user", objectId: user.id };
  await recordAudit(tx, { ...entry, actor: { type: "user", ...user }, details: { provider, email } });
}
