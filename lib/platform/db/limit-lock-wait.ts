import type { Db } from "#lib/platform/db/pool";

/** How long a change of a table waits for the table's users: every later statement on the table waits behind it. */
const LOCK_TIMEOUT_MS = 20;

/** Until the transaction ends, a statement that waits longer than 20 ms for a lock fails with lock_not_available. */
export async function limitLockWait(tx: Db): Promise<void> {
  await tx.query({ text: `set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'` });
}
