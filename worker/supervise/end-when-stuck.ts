import { Worker } from "node:worker_threads";
import { REST_TICKS } from "#worker/supervise/judge-turns";
import type { StuckWatch } from "#worker/supervise/stuck-watch";

/**
 * Ends this process with SIGKILL when its event loop computes for so long without a turn that others have its runs. The
 * process would not notice by itself: its heartbeats stop, but nothing in it runs that could end it, and when it is the
 * only worker, no one else would take its runs. Its supervisor then starts a new one. A thread reads how much processor
 * time the loop used, so that a busy machine, a stopped process, and a sleeping machine are not mistaken for a blocked
 * loop: a new worker would not be faster.
 */
export function endWhenStuck({ tickMs = 1_000, limits = { cpuMs: 10_000, idleChecks: 30 } } = {}): void {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(turns, 0, 1), REST_TICKS * tickMs).unref();
  const workerData: StuckWatch = { turns, tickMs, limits };
  new Worker(new URL("stuck-watch.ts", import.meta.url), { workerData, execArgv: [] }).unref();
}
