import { ApiError } from "#lib/contract/error/api-error";
import { lockUser } from "#lib/domain/accounts/lock-user";
import { requireRecentSignIn } from "#lib/domain/accounts/require-recent-sign-in";
import { isTwoStepOn } from "#lib/domain/accounts/two-step/get-two-step";
import { issueRecoveryCodes } from "#lib/domain/accounts/two-step/recovery-codes";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface ReplaceCodesRequest {
  userId: string;
  actor: Actor;
  sessionId: string | null;
}

/**
 * Creates new recovery codes. The earlier ones stop working.
 * @throws ApiError FORBIDDEN without a recent sign-in, BAD_REQUEST while two-step verification is off
 */
export async function replaceRecoveryCodes({ userId, actor, sessionId }: ReplaceCodesRequest): Promise<string[]> {
  return prismaTransaction(async (tx) => {
    await lockUser(tx, userId);
    await requireRecentSignIn(tx, userId, sessionId);
    if (!(await isTwoStepOn(tx, userId))) {
      throw new ApiError("BAD_REQUEST", "Set up an authenticator app or a passkey first.");
    }
    const entry = { workspaceId: null, actor, action: "user.recovery_codes_replaced" as const, objectType: "user" };
    await recordAudit(tx, { ...entry, objectId: userId });
    return issueRecoveryCodes(tx, userId);
  });
}
