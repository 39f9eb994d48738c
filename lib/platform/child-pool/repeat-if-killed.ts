import type { PoolCall } from "#lib/platform/child-pool/open-fair-pool";
import { PoolError } from "#lib/platform/child-pool/pool-error";

/** A call that makes the system run out of memory would do so every time. */
const ATTEMPTS = 3;

/**
 * Runs a call again if the system killed its child. A call has no effect outside its child, so the caller sees no difference.
 * @param runOnce starts with the call's turn
 */
export async function repeatIfKilled<Reply>(
  call: PoolCall,
  runOnce: (call: PoolCall) => Promise<Reply>,
): Promise<Reply> {
  const { onTurn } = call;
  let turnMs: number | null = null;
  for (let killed = 1; ; killed += 1) {
    const usedMs = turnMs === null ? 0 : performance.now() - turnMs;
    const timeoutMs = Math.max(0, call.timeoutMs - usedMs);
    try {
      return await runOnce({
        ...call,
        timeoutMs,
        onTurn: () => {
          if (turnMs === null) onTurn?.();
          turnMs ??= performance.now();
        },
      });
    } catch (error) {
      if (!(error instanceof PoolError && error.kind === "killed") || killed >= ATTEMPTS) throw error;
    }
  }
}
