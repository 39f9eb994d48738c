import type { KeyObject } from "#lib/contract/web/web";

/** A key is told to be used once a minute at most, and what calls every few minutes has to be seen, too. */
const QUIET_MS = 10 * 60_000;

/** Nobody waits in front of the page for longer than it takes to deploy a key. */
const FRESH_MS = 24 * 60 * 60_000;

/** True while somebody may be waiting for a replacement to be used: a rotation that was forgotten is not watched for good. */
export function isFreshReplacement({ replaces, status, created_at: createdAt }: KeyObject, nowMs: number): boolean {
  return replaces !== null && status === "active" && nowMs - Date.parse(createdAt) < FRESH_MS;
}

/**
 * How far a rotation is that keeps the original: `unused` until the replacement is used, `both` while the original is,
 * too, `quiet` once nothing has called with the original for ten minutes.
 */
export type RotationStage = "unused" | "both" | "quiet";

export interface Rotation {
  replacement: KeyObject;
  original: NonNullable<KeyObject["replaces"]>;
  stage: RotationStage;
}

/** The rotations under way, the newest first. */
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
