import { ApiError } from "#lib/contract/api-error";
import { type Actor, recordAudit } from "#lib/domain/audit/record-audit";
import { text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/transaction";

interface UpdateAccountRequest {
  userId: string;
  actor: Actor;
  name: string;
}

const updateName = defineStatement({
  name: "update_account",
  params: { userId: uuid, name: text },
  row: { user_id: uuid, name: text, email: text },
  sql: "update users set name = $2, updated_at = now() where id = $1 returning id as user_id, name, email",
  isPrepared: false,
});

/** One's own name, in every workspace. What the audit log and approvals say of earlier deeds keeps the former one. */
export async function updateAccount({ userId, actor, name }: UpdateAccountRequest) {
  return transaction(async (tx) => {
    const user = await updateName.first(tx, { userId, name });
    if (!user) throw new ApiError("not_signed_in", "Sign in to go on.");
    if (name !== actor.name) {
      const entry = { action: "user.renamed", objectType: "user", objectId: userId };
      await recordAudit(tx, { ...entry, workspaceId: null, actor, details: { from: actor.name, to: name } });
    }
    return user;
  });
}
