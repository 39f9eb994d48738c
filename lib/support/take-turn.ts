import { LIMITS } from "#lib/contract/limits";
import { leastJsonBytes } from "#lib/support/json";

/** How long work may continue in one turn of the event loop before other work gets one. */
const SLICE_MS = 15;

/** When the current turn was first asked about; null at the start of a turn. */
let turnStartedMs: number | null = null;
const waiting: (() => void)[] = [];

/**
 * Lets other work run if this turn of the event loop already lasts long. Call it before each piece of work whose size a
 * caller controls. What waits continues one after the other, each in a turn of its own, so that ten large pieces never
 * become one long block.
 * @returns null if the piece may start at once. Don't await null: others would be asked before the piece has started,
 * and all of them would get the same turn.
 */
export function takeTurn(): Promise<void> | null {
  const nowMs = performance.now();
  if (turnStartedMs === null) {
    startTurn(nowMs);
    return null;
  }
  if (nowMs - turnStartedMs < SLICE_MS) return null;
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

/** Waits for another turn, after work that nothing was asked about, such as a large row that the driver has parsed. */
export function nextTurn(): Promise<void> {
  if (turnStartedMs === null) startTurn(performance.now());
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

function startTurn(nowMs: number): void {
  turnStartedMs = nowMs;
  setImmediate(endTurn);
}

function endTurn(): void {
  turnStartedMs = null;
  const next = waiting.shift();
  if (!next) return;
  startTurn(performance.now());
  next();
}

/**
 * Returns true if a value is so large that work on all of it should have a turn of the event loop for itself. It reads
 * no more of the value than it needs to know.
 */
export function isLargeJson(value: unknown): boolean {
  return leastJsonBytes(value, LIMITS.inlineJsonBytes) >= LIMITS.inlineJsonBytes;
}
