import { ssoRequired } from "#lib/domain/workspaces/sso-required";
import { nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const selectClosed = defineStatement({
  name: "find_own_closed_workspace",
  params: { userId: uuid, sessionId: nullable(uuid) },
  row: { id: uuid, name: text },
  sql: `select w.id, w.name
        from workspace_members m
        join workspaces w on w.id = m.workspace_id
        join workspace_sso sso on sso.workspace_id = w.id and sso.is_required
        where m.user_id = $1 and m.role = 'owner' and not has_two_step($1)
          and sso.provider is distinct from (select s.provider from user_sessions s where s.id = $2 and s.user_id = $1)
        order by m.created_at, w.id
        limit 1`,
  isPrepared: false,
});

/**
 * Checks that a session may add the person's first second factor. An owner's second factor can turn off the single
 * sign-on of a workspace (`isWayBackOpen`), so a password, or a mailbox that resets it, must not be enough to add one.
 * Members are not held back: a second factor opens nothing for them.
 * @throws ApiError FORBIDDEN with the reason sso_required
 */
export async function requireOwnProviders(tx: Db, userId: string, sessionId: string | null): Promise<void> {
  const closed = await selectClosed.first(tx, { userId, sessionId });
  if (closed) throw ssoRequired(closed.id, closed.name);
}
