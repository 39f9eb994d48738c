import { ApiError } from "#lib/contract/api-error";
import { SIGN_IN_PROVIDERS, type SignInProvider } from "#lib/contract/web/account";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { boolean, enumOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";

interface RemoveIdentityRequest {
  userId: string;
  actor: Actor;
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

const deleteIdentity = defineStatement({
  name: "remove_identity",
  params: { userId: uuid, provider: enumOf(SIGN_IN_PROVIDERS), subject: text },
  sql: "delete from user_identities where user_id = $1 and provider = $2 and subject = $3",
  isPrepared: false,
});

const selectIdentity = defineStatement({
  name: "find_identity",
  params: { userId: uuid },
  row: { subject: text },
  sql: "select subject from user_identities where user_id = $1 limit 1",
  isPrepared: false,
});

/**
 * Takes a way to sign in from a person. Sessions that began with it go on: ending those is a decision of its own.
 * @throws ApiError NOT_FOUND, BAD_REQUEST when it is the last way in
 */
export async function removeIdentity({ userId, actor, provider, subject }: RemoveIdentityRequest): Promise<void> {
  await transaction(async (tx) => {
    const user = await lockUser.first(tx, { userId });
    const deleted = await deleteIdentity.run(tx, { userId, provider, subject });
    if (deleted === 0) throw new ApiError("NOT_FOUND", "This account is not connected.");
    if (!user?.has_password && !(await selectIdentity.first(tx, { userId }))) {
      throw new ApiError("BAD_REQUEST", "This is your only way to sign in. Choose a password first.");
    }
    const entry = { workspaceId: null, action: "user.identity_removed", objectType: "user", objectId: userId };
    await recordAudit(tx, { ...entry, actor, details: { provider } });
  });
}
