import type { ChildProcess } from "node:child_process";
import { measureCpuMs } from "#lib/platform/child-pool/processor-time";

/** How long a start may take, in checks of the child and CPU time; the clock says nothing on a busy machine. */
export interface StartLimits {
  checkMs: number;
  /** CPU time. A start takes 0.4 s. */
  cpuMs: number;
  /** Checks in a row in which the child used no CPU time. One that waits for the processor always gets a little. */
  idleChecks: number;
}

export const START_LIMITS: StartLimits = { checkMs: 1_000, cpuMs: 30_000, idleChecks: 30 };

/** Why a child is not ready. */
export class StartError extends Error {
  /** True if the child ended by itself: with the same arguments the next one will, too. */
  readonly isOwnExit: boolean;

  constructor(message: string, isOwnExit = false) {
    super(message);
    this.isOwnExit = isOwnExit;
  }
}

/**
 * Waits for the first message of a child, for as long as the child makes progress. A child that is not ready is killed.
 * @throws StartError
 */
export function awaitReady<Ready>(
  child: ChildProcess,
  output: () => string,
  { checkMs, cpuMs, idleChecks }: StartLimits = START_LIMITS,
): Promise<Ready> {
  const findFault = watchProgress({ cpuMs, idleChecks });
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null) => {
      clearInterval(checking);
      child.off("message", onReady).off("error", onError).off("exit", onExit);
      if (!error) return;
      child.kill("SIGKILL");
      reject(error);
    };
    const onReady = (ready: unknown) => {
      settle(null);
      resolve(ready as Ready);
    };
    const onError = (error: Error) => settle(new StartError(error.message));
    const onExit = (code: number | null, signal: string | null) => {
      const message = `The process ended while starting: ${signal ?? code} ${output()}`.trimEnd();
      settle(new StartError(message, signal === null));
    };
    const check = (usedMs: number | null) => {
      const fault = findFault(usedMs);
      if (fault) settle(fault);
    };
    const checking = setInterval(() => {
      if (child.pid !== undefined) void measureCpuMs(child.pid).then(check);
    }, checkMs).unref();
    child.on("message", onReady).on("error", onError).on("exit", onExit);
  });
}

/**
 * Returns a check of a starting child, called with the CPU time that it has used. The check returns why the child is given
 * up, or null.
 */
export function watchProgress({
  cpuMs,
  idleChecks,
}: Omit<StartLimits, "checkMs">): (usedMs: number | null) => StartError | null {
  let seenMs: number | null = null;
  let idle = 0;
  return (usedMs) => {
    idle = usedMs === null || usedMs === seenMs ? idle + 1 : 0;
    seenMs = usedMs;
    if ((usedMs ?? 0) > cpuMs) return new StartError(`The process used ${cpuMs / 1_000} s of CPU time to start`);
    return idle >= idleChecks ? new StartError("The process stopped making progress while starting") : null;
  };
}
