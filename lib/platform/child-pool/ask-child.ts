import { PoolError } from "#lib/platform/child-pool/pool-error";
import { lowerPriority, measureCpuMs, readCpuMs } from "#lib/platform/child-pool/processor-time";
import { isStarved } from "#lib/platform/metrics/is-starved";

/** How often a long call is measured. */
const WATCH_MS = 500;
/** Calls are short. One that has used this much CPU time continues when the others do not need the processor. */
const FULL_PRIORITY_MS = 1_000;

/** What a pool needs of a child process. */
export interface PoolChild {
  readonly pid?: number | undefined;
  /** Measures the CPU time of a child that is not a process, in ms; null if the system cannot. */
  measureCpuMs?(): Promise<number | null>;
  readonly connected: boolean;
  send(message: object, callback: (error: Error | null) => void): boolean;
  kill(signal: "SIGKILL"): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  on(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
}

export interface CallLimits {
  /** CPU time: the limit of what a call may compute. */
  cpuMs: number;
  /** On the clock, from the start of the turn. It only ends calls that the CPU time does not end. */
  timeoutMs: number;
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
  const watch = watchCpu(child);
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      clearInterval(watching);
      watch.end();
      child.off("message", onMessage);
      child.off("exit", onExit);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const onMessage = (reply: unknown) => settle(() => resolve({ reply: reply as Reply, isLow: watch.isLow() }));
    const onExit = (code: number | null, killedBy: string | null) => settle(() => reject(endOf(code, killedBy)));
    const onAbort = () => settle(() => reject(signal.reason));
    const onTimeout = () => {
      watch.measure();
      const cpuMs = watch.usedMs();
      const isBusy = cpuMs !== null && isStarved({ elapsedMs: timeoutMs + killMs, cpuMs });
      settle(() => reject(new PoolError(isBusy ? "starved" : "time_limit", "The call took too long")));
    };
    const measure = () => {
      watch.measure();
      if ((watch.usedMs() ?? 0) <= cpuMs + killMs) return;
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

/** The signals with which V8 and the system end a process for what it did itself. */
const OWN_SIGNALS: ReadonlySet<string> = new Set([
  "SIGABRT",
  "SIGBUS",
  "SIGFPE",
  "SIGILL",
  "SIGSEGV",
  "SIGSYS",
  "SIGTRAP",
  "SIGXCPU",
  "SIGXFSZ",
]);

function endOf(code: number | null, killedBy: string | null): PoolError {
  const cause = new Error(`The process ended: ${killedBy ?? code}`);
  // Nothing inside a child can send it a signal, so another one came from the system, for example when it ran out of
  // memory, or from a person.
  const isKilled = killedBy !== null && !OWN_SIGNALS.has(killedBy);
  return new PoolError(isKilled ? "killed" : "ended", "The process ended during the call", { cause });
}

/**
 * Measures the CPU time of one call. Linux shows it at once. Elsewhere a measurement takes a moment, so the latest one
 * counts. Without any, the time on the clock decides the priority, and no call counts as starved.
 */
function watchCpu(child: PoolChild) {
  const { pid } = child;
  const startMs = performance.now();
  let startCpuMs: number | null = null;
  let usedMs: number | null = null;
  let isLow = false;
  let isOver = false;
  const note = (cpuMs: number | null) => {
    if (isOver) return;
    if (cpuMs !== null) {
      startCpuMs ??= cpuMs;
      usedMs = cpuMs - startCpuMs;
    }
    if (pid !== undefined && !isLow && (usedMs ?? performance.now() - startMs) >= FULL_PRIORITY_MS) {
      isLow = true;
      lowerPriority(pid);
    }
  };
  const measure = () => {
    const cpuMs = pid === undefined ? null : readCpuMs(pid);
    if (cpuMs !== null) return note(cpuMs);
    const measuring = child.measureCpuMs?.() ?? (pid === undefined ? Promise.resolve(null) : measureCpuMs(pid));
    measuring.then(note, () => note(null));
  };
  // Most calls are short. The first measurement of those that are not is soon enough where it starts a program.
  if (process.platform === "linux" || child.measureCpuMs) measure();
  return {
    measure,
    usedMs: () => usedMs,
    /** The child may work on another call by the time a measurement arrives. */
    end: () => {
      isOver = true;
    },
    isLow: () => isLow,
  };
}
