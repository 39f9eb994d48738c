import { boolean, integer, nullable, type RowOf, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const ACCOUNT = {
  id: uuid,
  name: text,
  email: text,
  /** Null if the person signs in without a password. */
  password_hash: nullable(text),
  session_epoch: integer,
  is_member: nullable(boolean),
  has_two_step: nullable(boolean),
};
const COLUMNS = `id, name, email, password_hash, session_epoch,
  exists (select 1 from workspace_members m where m.user_id = u.id) as is_member, has_two_step(u.id) as has_two_step`;

/** A person's account, as a sign-in reads it. */
export type Account = RowOf<typeof ACCOUNT>;

const selectByEmail = defineStatement({
  name: "find_account",
  params: { email: text },
  row: ACCOUNT,
  sql: `select ${COLUMNS} from users u where email = $1`,
});

const selectById = defineStatement({
  name: "find_account_by_id",
  params: { userId: uuid },
  row: ACCOUNT,
  sql: `select ${COLUMNS} from users u where id = $1`,
  isPrepared: false,
});

/** @param email normalized (normalizeEmail) */
export function findAccountByEmail(email: string): Promise<Account | null> {
  return selectByEmail.first(db(), { email });
}

export function findAccountById(userId: string): Promise<Account | null> {
  return selectById.first(db(), { userId });
}
