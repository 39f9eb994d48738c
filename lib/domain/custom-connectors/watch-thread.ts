import type { Worker } from "node:worker_threads";

/** How often a long call is measured. */
const WATCH_MS = 500;

/**
 * Calls `onOver` once when a thread has used more CPU time than the limit. Time in which the thread waits for the processor
 * does not count.
 * @returns a function that ends the measurement
 */
export function watchThread(thread: Worker, cpuMs: number, onOver: () => void): () => void {
  // A thread that is only starting has used nothing.
  const start = thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  const timer = setInterval(async () => {
    const [before, now] = [await start, await thread.cpuUsage().catch(() => null)];
    if (!now) return;
    const usedMs = (now.user + now.system - before.user - before.system) / 1_000;
    if (usedMs <= cpuMs || !isOpen) return;
    stop();
    onOver();
  }, WATCH_MS);
  timer.unref();
  let isOpen = true;
  const stop = () => {
    isOpen = false;
    clearInterval(timer);
  };
  return stop;
}
