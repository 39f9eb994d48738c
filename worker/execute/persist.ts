import { setTimeout as sleep } from "node:timers/promises";
import { isTransientDatabaseError } from "#lib/platform/db/classify-database-error";

const DELAYS_MS = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400];

/**
 * Retries while the database is away, for about ten seconds. Its statements must be repeatable: a first answer can be
 * lost after the statement took effect.
 * @param work receives whether it may have been done before
 */
export async function persist<T>(work: (isRepeat: boolean) => Promise<T>): Promise<T> {
  for (const [index, delayMs] of DELAYS_MS.entries()) {
    try {
      return await work(index > 0);
    } catch (error) {
      if (!isTransientDatabaseError(error)) throw error;
      await sleep(delayMs);
    }
  }
  return work(true);
}
