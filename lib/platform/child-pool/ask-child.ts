import { PoolError } from "#lib/platform/child-pool/pool-error";
import { lowerPriority, readCpuMs } from "#lib/platform/child-pool/processor-time";

/** How often a long call is measured. */
const WATCH_MS = 500;
/** Calls are short. One that has used this much CPU time continues when the others do not need the processor. */
const FULL_PRIORITY_MS = 1_000;

/** What a pool needs of a child process. */
export interface PoolChild {
  readonly pid?: number | undefined;
  readonly connected: boolean;
  send(message: object, callback: (error: Error | null) => void): boolean;
  kill(signal: "SIGKILL"): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  on(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
}

export interface CallLimits {
  /** From the start of the turn. */
  timeoutMs: number;
  /** CPU time. */
  cpuMs: number;
  /** How much later than the child's own limits the child is killed. */
  killMs: number;
  signal: AbortSignal;
}

/**
 * Sends the message and waits for the reply, the end of the child, a limit, or the signal. After a rejection the child
 * may still be at work.
 * @returns the reply, and whether the child's priority had to be lowered
 * @throws PoolError, or the signal's reason
 */
export function askChild<Reply>(
  child: PoolChild,
  message: object,
  limits: CallLimits,
): Promise<{ reply: Reply; isLow: boolean }> {
  const { timeoutMs, cpuMs, killMs, signal } = limits;
  const watch = watchCpu(child.pid);
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      clearInterval(watching);
      child.off("message", onMessage);
      child.off("exit", onExit);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const onMessage = (reply: unknown) => settle(() => resolve({ reply: reply as Reply, isLow: watch.isLow() }));
    const onExit = (code: number | null, killedBy: string | null) => {
      const cause = new Error(`The process ended: ${killedBy ?? code}`);
      settle(() => reject(new PoolError("ended", "The process ended during the call", { cause })));
    };
    const onAbort = () => settle(() => reject(signal.reason));
    const onTimeout = () => settle(() => reject(new PoolError("time_limit", "The call took too long")));
    const measure = () => {
      if (watch.usedMs() <= cpuMs + killMs) return;
      settle(() => reject(new PoolError("cpu_limit", "The call used too much CPU time")));
    };
    // The timers also keep this process alive until the call has ended: the child alone does not.
    const timer = setTimeout(onTimeout, timeoutMs + killMs);
    const watching = setInterval(measure, WATCH_MS);
    child.on("message", onMessage);
    child.on("exit", onExit);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    else child.send(message, () => {});
  });
}

/** Measures the CPU time of one call. Without a measurement the time on the clock only decides the priority. */
function watchCpu(pid: number | undefined): { usedMs(): number; isLow(): boolean } {
  const startMs = performance.now();
  const startCpuMs = pid === undefined ? null : readCpuMs(pid);
  let isLow = false;
  return {
    usedMs() {
      const cpuMs = pid === undefined ? null : readCpuMs(pid);
      const usedMs = cpuMs === null || startCpuMs === null ? null : cpuMs - startCpuMs;
      if (pid !== undefined && !isLow && (usedMs ?? performance.now() - startMs) >= FULL_PRIORITY_MS) {
        isLow = true;
        lowerPriority(pid);
      }
      return usedMs ?? 0;
    },
    isLow: () => isLow,
  };
}
