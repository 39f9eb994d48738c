import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import type { Db } from "#lib/platform/db/pool";

/** How long a change of a table waits for the table's users: every later statement on the table waits behind it. */
const LOCK_TIMEOUT_MS = 20;
/** Each attempt waits only for a moment, so that a busy table needs several. */
const ATTEMPTS = 5;
const PAUSE_MS = 50;

/** SQL of an expression: until the transaction ends, a wait for a lock fails with lock_not_available after 20 ms. */
export const LIMITED_LOCK_WAIT = `set_config('lock_timeout', '${LOCK_TIMEOUT_MS}ms', true)`;

/** Until the transaction ends, a statement that waits longer than 20 ms for a lock fails with lock_not_available. */
export async function limitLockWait(tx: Db): Promise<void> {
  await tx.query({ text: `select ${LIMITED_LOCK_WAIT}` });
}

/**
 * Repeats a transaction with a limited wait for locks while its table is busy.
 * @returns null if it never got the lock
 */
export async function retryLock<T>(work: () => Promise<T>): Promise<T | null> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseFault(error, "lock_not_available")) throw error;
      await sleep(PAUSE_MS);
    }
  }
  return null;
}
