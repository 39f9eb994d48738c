import { ApiError } from "#lib/contract/error/api-error";
import { resetPassword } from "#lib/domain/accounts/change-password";
import { hashResetToken } from "#lib/domain/accounts/password-reset/reset-token";
import { prisma } from "#lib/platform/db/prisma";

/** @returns the user whose password the link can set; null if it was used, replaced or has expired */
export async function findResetLink(token: string): Promise<{ userId: string; name: string } | null> {
  const found = await prisma().passwordReset.findFirst({
    where: { tokenHash: toBytes(token), expiresAt: { gt: new Date() } },
    select: { userId: true, user: { select: { name: true } } },
  });
  return found && { userId: found.userId, name: found.user.name };
}

/**
 * Sets a new password with the link of an email, once, and ends all sessions of the user. Two-step verification stays
 * on: the next sign-in asks for the second factor.
 * @throws ApiError FORBIDDEN for a link that no longer works, BAD_REQUEST naming new_password
 */
export async function redeemResetLink(token: string, newPassword: string): Promise<void> {
  const found = await findResetLink(token);
  if (!found) throw expired();
  const actor = { type: "user" as const, id: found.userId, name: found.name };
  await resetPassword(found.userId, newPassword, actor, async (tx) => {
    const { count } = await tx.prisma.passwordReset.updateMany({
      where: { userId: found.userId, tokenHash: toBytes(token), expiresAt: { gt: new Date() } },
      data: { tokenHash: null, nextMailAt: null },
    });
    if (count === 0) throw expired();
  });
}

function toBytes(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hashResetToken(token));
}

function expired(): ApiError {
  return new ApiError("FORBIDDEN", "This link has expired or was already used. Ask for a new one.");
}
