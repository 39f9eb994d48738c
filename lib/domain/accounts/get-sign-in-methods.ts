import { type IdentityObject, SIGN_IN_PROVIDER_NAMES, type SignInProvider } from "#lib/contract/account/account";
import { findServiceOf } from "#lib/domain/accounts/list-sign-in-services";
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
    identities: identities.map(({ provider: kind, subject, email, createdAt, lastUsedAt }) => {
      const provider = kind as SignInProvider;
      const service = findServiceOf(provider, subject);
      return {
        provider,
        service: service?.name ?? null,
        label: service?.label ?? SIGN_IN_PROVIDER_NAMES[provider],
        subject,
        email,
        connected_at: createdAt.toISOString(),
        last_used_at: lastUsedAt.toISOString(),
      };
    }),
  };
}
