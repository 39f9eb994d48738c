import { bigint, boolean } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const takeLock = defineStatement({
  name: "try_advisory_lock",
  params: { lock: bigint },
  row: { is_ours: boolean },
  sql: "select pg_try_advisory_xact_lock($1) as is_ours",
  isPrepared: false,
});

/** Takes an advisory lock until the transaction ends; false when another process holds it. */
export async function tryAdvisoryLock(tx: Db, lock: number): Promise<boolean> {
  return (await takeLock.one(tx, { lock })).is_ours;
}
