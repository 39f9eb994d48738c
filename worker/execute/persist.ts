import { setTimeout as sleep } from "node:timers/promises";
import { StepError } from "#lib/contract/step-error";
import { LeaseLost } from "#lib/core/engine/lease-lost";

const DELAYS_MS = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400];

/**
 * Whether the database may answer otherwise in a moment: it restarts, the connection broke, the query hung. Wrong data
 * (22), a broken constraint (23) and a wrong statement (42) stay what they are.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof LeaseLost || error instanceof StepError) return false;
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) return !/^(?:22|23|42)/.test(code);
  const message = error instanceof Error ? error.message : "";
  return typeof code === "string" || /timeout|terminated|connection/i.test(message);
}

/**
 * Does it again while the database is away, for about ten seconds. The statements it is used for may be repeated: their
 * first answer can be lost after they took effect.
 * @param work is told whether it may have been done before
 */
export async function persist<T>(work: (isRepeat: boolean) => Promise<T>): Promise<T> {
  for (const [index, delayMs] of DELAYS_MS.entries()) {
    try {
      return await work(index > 0);
    } catch (error) {
      if (!isPassing(error)) throw error;
      await sleep(delayMs);
    }
  }
  return work(true);
}
