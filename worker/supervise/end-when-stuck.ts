import { Worker } from "node:worker_threads";
import type { StuckWatch } from "#worker/supervise/stuck-watch";

/**
 * Ends this process with SIGKILL when its event loop was blocked for so long that others have its runs. The process
 * would not notice by itself: its heartbeats stop, but nothing in it runs that could end it, and when it is the only
 * worker, no one else would take its runs. Its supervisor then starts a new one. A thread counts the time, so that a
 * stopped process or a sleeping machine is not mistaken for a blocked loop: then the thread stops as well.
 */
export function endWhenStuck({ tickMs = 1_000, ticksMax = 10 } = {}): void {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(turns, 0, 1), tickMs).unref();
  const workerData: StuckWatch = { turns, tickMs, ticksMax };
  new Worker(new URL("stuck-watch.ts", import.meta.url), { workerData, execArgv: [] }).unref();
}
