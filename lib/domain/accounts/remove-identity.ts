import { ApiError } from "#lib/contract/api-error";
import type { SignInProvider } from "#lib/contract/web/account";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { transaction } from "#lib/platform/db/transaction";

interface RemoveIdentityRequest {
  userId: string;
  actor: Actor;
  provider: SignInProvider;
  subject: string;
}

/**
 * Takes a way to sign in from a person. Sessions that began with it go on: ending those is a decision of its own.
 * @throws ApiError NOT_FOUND, BAD_REQUEST when it is the last way in
 */
export async function removeIdentity({ userId, actor, provider, subject }: RemoveIdentityRequest): Promise<void> {
  await transaction(async (tx) => {
    const { rows } = await tx.query<{ has_password: boolean }>({
      text: "select password_hash is not null as has_password from users where id = $1 for no key update",
      values: [userId],
    });
    const { rowCount } = await tx.query({
      text: "delete from user_identities where user_id = $1 and provider = $2 and subject = $3",
      values: [userId, provider, subject],
    });
    if (rowCount !== 1) throw new ApiError("NOT_FOUND", "This account is not connected.");
    const { rowCount: left } = await tx.query({
      text: "select 1 from user_identities where user_id = $1 limit 1",
      values: [userId],
    });
    if (!rows[0]?.has_password && !left) {
      throw new ApiError("BAD_REQUEST", "This is your only way to sign in. Choose a password first.");
    }
    const entry = { workspaceId: null, action: "user.identity_removed", objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, actor, details: { provider } });
  });
}
