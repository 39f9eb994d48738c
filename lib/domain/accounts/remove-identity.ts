import type { SignInProvider } from "#lib/contract/account/account";
import { ApiError } from "#lib/contract/error/api-error";
import { requireRecentSignIn } from "#lib/domain/accounts/require-recent-sign-in";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { boolean, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface RemoveIdentityRequest {
  userId: string;
  actor: Actor;
  sessionId: string | null;
  provider: SignInProvider;
  subject: string;
}

const lockUser = defineStatement({
  name: "lock_user_password",
  params: { userId: uuid },
  row: { has_password: boolean },
  sql: "select password_hash is not null as has_password from users where id = $1 for no key update",
  isPrepared: false,
});

/**
 * Removes a sign-in method from a person. Sessions that started with it continue; ending those is a separate decision.
 * @throws ApiError FORBIDDEN without a recent sign-in, NOT_FOUND, BAD_REQUEST if it is the last method
 */
export async function removeIdentity(request: RemoveIdentityRequest): Promise<void> {
  const { userId, actor, sessionId, provider, subject } = request;
  await prismaTransaction(async (tx) => {
    const user = await lockUser.first(tx, { userId });
    await requireRecentSignIn(tx, userId, sessionId);
    const deleted = await tx.prisma.userIdentity.deleteMany({ where: { userId, provider, subject } });
    if (deleted.count === 0) throw new ApiError("NOT_FOUND", "This account is not connected.");
    const other = await tx.prisma.userIdentity.findFirst({ where: { userId }, select: { subject: true } });
    if (!user?.has_password && !other) {
      throw new ApiError("BAD_REQUEST", "This is your only way to sign in. Set a password first.");
    }
    const entry = { workspaceId: null, action: "user.identity_removed" as const, objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, actor, details: { provider } });
  });
}
