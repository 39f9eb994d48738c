import type { KeyObject } from "#lib/contract/wire/web";

/** A key records its use at most once a minute, and callers that call every few minutes have to be seen, too. */
const QUIET_MS = 10 * 60_000;

/** No one waits on the page for longer than it takes to deploy a key. */
const FRESH_MS = 24 * 60 * 60_000;

/**
 * Returns true while a user may be waiting for the first use of a replacement: an abandoned rotation is not polled
 * forever.
 */
export function isFreshReplacement({ replaces, status, created_at: createdAt }: KeyObject, nowMs: number): boolean {
  return replaces !== null && status === "active" && nowMs - Date.parse(createdAt) < FRESH_MS;
}

/**
 * The stage of a rotation that keeps the original: `unused` until the replacement is used, `both` while the original is
 * used as well, `quiet` once nothing has called with the original for ten minutes.
 */
export type RotationStage = "unused" | "both" | "quiet";

export interface Rotation {
  replacement: KeyObject;
  original: NonNullable<KeyObject["replaces"]>;
  stage: RotationStage;
}

/** Returns the rotations under way, newest first. */
export function deriveRotations(keys: readonly KeyObject[], nowMs: number): Rotation[] {
  return keys.flatMap((replacement) => {
    const original = replacement.replaces;
    if (original === null || replacement.status !== "active") return [];
    return [{ replacement, original, stage: stageOf(replacement, original, nowMs) }];
  });
}

function stageOf(replacement: KeyObject, original: Rotation["original"], nowMs: number): RotationStage {
  if (replacement.last_used_at === null) return "unused";
  const isQuiet = original.last_used_at === null || nowMs - Date.parse(original.last_used_at) >= QUIET_MS;
  return isQuiet ? "quiet" : "both";
}
