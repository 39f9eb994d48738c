import { bigint, boolean } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

const takeLock = defineLock("try_advisory_lock", "pg_try_advisory_xact_lock");
const shareLock = defineLock("try_shared_advisory_lock", "pg_try_advisory_xact_lock_shared");

function defineLock(name: string, take: string) {
  return defineStatement({
    name,
    params: { lock: bigint },
    row: { is_ours: boolean },
    sql: `select ${take}($1) as is_ours`,
    isPrepared: false,
  });
}

/** Takes an advisory lock until the transaction ends; false when another transaction has it or shares it. */
export async function tryAdvisoryLock(tx: Db, lock: number): Promise<boolean> {
  return (await takeLock.one(tx, { lock })).is_ours;
}

/** Shares an advisory lock until the transaction ends; false when another transaction has it to itself. */
export async function tryToShareAdvisoryLock(tx: Db, lock: number): Promise<boolean> {
  return (await shareLock.one(tx, { lock })).is_ours;
}
