import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const CHECK_MS = 1_000;
/** The part of its time in which an idle process computes. */
const IDLE_MAX = 0.05;

/**
 * Returns the memory that loading modules has left behind to the system. V8 keeps the space that it grew to for the
 * objects of the compiler: a third of the memory of a process that has just started. Takes about 100 ms, so call it
 * before the process has work.
 */
export function returnMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as NodeJS.GCFunction;
  setFlagsFromString("--no-expose-gc");
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

/**
 * Returns it once, after the first second in which the process had nothing to do: Next.js loads the routes in the
 * background after the server has started.
 * @param readUtilization of the last second
 */
export function returnMemoryWhenIdle(readUtilization = openMeter(), collect = returnMemory): void {
  const timer = setInterval(() => {
    if (readUtilization() > IDLE_MAX) return;
    clearInterval(timer);
    collect();
  }, CHECK_MS);
  timer.unref();
}

/** Returns a function that reads which part of the time since its last call the event loop was busy. */
function openMeter(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
