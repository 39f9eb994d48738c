import { uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const lockRow = defineStatement({
  name: "lock_user",
  params: { userId: uuid },
  sql: "select 1 from users where id = $1 for no key update",
  isPrepared: false,
});

/** Lets one change of a person's account at a time continue until the transaction ends. */
export async function lockUser(tx: Db, userId: string): Promise<void> {
  await lockRow.run(tx, { userId });
}
