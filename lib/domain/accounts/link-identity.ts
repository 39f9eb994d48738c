import type { SignInProvider } from "#lib/contract/account/account";
import { recordAudit } from "#lib/domain/audit/record-audit";
import type { PrismaTx } from "#lib/platform/db/prisma";

/** An account of another service, with an address that the service has verified. */
export interface ProvenIdentity {
  provider: SignInProvider;
  /** The id that the service gives the account. */
  subject: string;
  /** Normalised (normalizeEmail). */
  email: string;
}

/** Lets an account of another service sign this person in. An account that is linked to someone else stays theirs. */
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
  const entry = { workspaceId: null, action: "user.identity_linked" as const, objectType: "user", objectId: user.id };
  await recordAudit(tx, { ...entry, actor: { type: "user", ...user }, details: { provider, email } });
}
