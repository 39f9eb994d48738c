import { Worker } from "node:worker_threads";
import type { StuckWatch } from "#worker/supervise/stuck-watch";

/**
 * Ends this process with SIGKILL when its event loop has stood still for so long that others have its runs. It would not
 * notice by itself: its heartbeats stop, but nothing in it runs that could end it, and where it is the only worker
 * nobody else would take its runs either. Its supervisor then starts it anew.
 *
 * A thread counts, so that a process that was stopped, or a machine that slept, is not taken for stuck: the thread stood
 * still as well.
 */
export function endWhenStuck({ tickMs = 1_000, ticksMax = 10 } = {}): void {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(turns, 0, 1), tickMs).unref();
  const workerData: StuckWatch = { turns, tickMs, ticksMax };
  new Worker(new URL("stuck-watch.ts", import.meta.url), { workerData, execArgv: [] }).unref();
}
