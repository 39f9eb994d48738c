import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { type Db, db } from "#lib/platform/db/pool";

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function transaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await db().connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

const ATTEMPTS_MAX = 3;

/**
 * Like transaction(), repeated when PostgreSQL ended it to resolve a deadlock: for work that locks several rows which
 * others lock in batches.
 * @param work nothing but SQL, so that it can be repeated
 */
export function repeatableTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
  return repeatAfterDeadlock(ATTEMPTS_MAX, () => transaction(work));
}

/**
 * Repeats a transaction that PostgreSQL ended to resolve a deadlock.
 * @param attemptsMax how often it may run in total
 */
export async function repeatAfterDeadlock<T>(attemptsMax: number, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || attempt === attemptsMax) throw error;
    }
  }
}

/** The work may have named what failed, with the error of PostgreSQL as the cause. */
function isDeadlock(error: unknown): boolean {
  return isDatabaseFault(error, "deadlock") || (error instanceof Error && isDatabaseFault(error.cause, "deadlock"));
}
