import type { SignInProvider } from "#lib/contract/web/account";
import { recordAudit } from "#lib/domain/audit/record-audit";
import type { PrismaTx } from "#lib/platform/db/prisma";

/** An account of another service whose address the service has verified. */
export interface ProvenIdentity {
  provider: SignInProvider;
  /** The service's own id of the account. */
  subject: string;
  /** Normalised (normalizeEmail). */
  email: string;
}

/** From now on this account of the other service signs this person in. One that belongs to somebody stays theirs. */
export async function linkIdentity(
  tx: PrismaTx,
  { provider, subject, email }: ProvenIdentity,
  user: { id: string; name: string },
): Promise<void> {
  const inserted = await tx.prisma.userIdentity.createMany({
    data: { provider, subject, userId: user.id, email },
    skipDuplicates: true,
  });
  if (inserted.count === 0) return;
  const entry = { workspaceId: null, action: "user.identity_linked", objectType: "user", objectId: user.id };
  await recordAudit(tx, { ...entry, actor: { type: "user", ...user }, details: { provider, email } });
}
