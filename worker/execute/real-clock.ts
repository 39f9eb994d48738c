import type { Clock } from "#lib/core/engine/ports";

const startedAt = Date.now() - performance.now();

/** Wall-clock time that advances evenly from the start of the process, so that a clock set back reorders no steps. */
export const realClock: Clock = {
  now: () => new Date(startedAt + performance.now()),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal.addEventListener("abort", onAbort, { once: true });
    }),
};
