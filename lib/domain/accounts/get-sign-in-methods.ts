import type { IdentityObject, SignInProvider } from "#lib/contract/web/account";
import { prisma } from "#lib/platform/db/prisma";

/** Returns the methods by which a person signs in. */
export async function getSignInMethods(
  userId: string,
): Promise<{ has_password: boolean; identities: IdentityObject[] }> {
  const [userWithPassword, identities] = await Promise.all([
    prisma().user.findFirst({ where: { id: userId, passwordHash: { not: null } }, select: { id: true } }),
    prisma().userIdentity.findMany({ where: { userId }, orderBy: [{ createdAt: "asc" }, { subject: "asc" }] }),
  ]);
  return {
    has_password: userWithPassword !== null,
    identities: identities.map(({ provider, subject, email, createdAt, lastUsedAt }) => ({
      provider: provider as SignInProvider,
      subject,
      email,
      connected_at: createdAt.toISOString(),
      last_used_at: lastUsedAt.toISOString(),
    })),
  };
}
