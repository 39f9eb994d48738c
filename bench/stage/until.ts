import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits until `look` finds something. An error counts as nothing found, because the database may be down on purpose.
 * @throws Error that says what `until` was waiting for
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | false> | T | null | false,
  { deadlineMs = 60_000, everyMs = 20 } = {},
): Promise<T> {
  const end = performance.now() + deadlineMs;
  let last: unknown = null;
  for (;;) {
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end)
      throw new Error(`waited ${deadlineMs} ms without success for ${what}`, { cause: last });
    await sleep(everyMs);
  }
}
