import { setTimeout as sleep } from "node:timers/promises";

export interface StartWait {
  stop: AbortSignal;
  /** Receives what is still missing. */
  waitFor(missing: string): void;
  /** Returns what to say if something that is waited for has died; null while all of it lives. */
  findDead(): string | null;
}

/** How long the same may be missing. On a busy machine a start can take minutes. */
const STALLED_MS = 600_000;
const ASK_EVERY_MS = 50;

/**
 * Waits until nothing is missing, for as long as there is progress: what is missing changes now and then.
 * @param ask returns what is still missing, or null
 * @throws Error that says what has died, or what was missing for ten minutes
 */
export async function waitUntilReady(
  ask: () => Promise<string | null>,
  { stop, waitFor, findDead }: StartWait,
  now = () => performance.now(),
): Promise<void> {
  let before: string | null = null;
  let sinceMs = now();
  for (;;) {
    stop.throwIfAborted();
    const dead = findDead();
    if (dead !== null) throw new Error(dead);
    const missing = await ask();
    if (missing === null) return;
    waitFor(missing);
    if (missing !== before) sinceMs = now();
    before = missing;
    if (now() - sinceMs > STALLED_MS) {
      throw new Error(`The start made no progress for ${STALLED_MS / 60_000} minutes. Missing: ${missing}.`);
    }
    await sleep(ASK_EVERY_MS);
  }
}
