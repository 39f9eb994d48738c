import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { readMainThread } from "#lib/platform/child-pool/processor-time";
import { judgeTurns, REST_TICKS, type StuckLimits } from "#worker/supervise/judge-turns";

/** The input of the watching thread. */
export interface StuckWatch {
  /** The first number changes whenever the main thread completes a turn. */
  turns: Int32Array;
  tickMs: number;
  limits: StuckLimits;
}

const { turns, tickMs, limits }: StuckWatch = workerData;
const isStuck = judgeTurns(limits);
/** A thread that used a smaller part of the last tick is checked less often. */
const BUSY_MIN = 0.1;
let last = { turns: -1, cpuMs: 0 };

function check(): void {
  // Where the system does not show a thread, the whole process counts: its other threads rarely compute.
  const { user, system } = process.cpuUsage();
  const use = readMainThread() ?? { cpuMs: (user + system) / 1_000, isRunnable: true };
  const seen = { turns: Atomics.load(turns, 0), ...use };
  if (isStuck(seen)) end();
  const isAtRest = seen.turns !== last.turns && seen.cpuMs - last.cpuMs < BUSY_MIN * tickMs;
  last = seen;
  setTimeout(check, isAtRest ? REST_TICKS * tickMs : tickMs);
}

function end(): void {
  // The logger's stream needs the main thread.
  const msg = "this worker's event loop is blocked; it ends at once";
  writeSync(2, `${JSON.stringify({ level: "fatal", time: new Date().toISOString(), pid: process.pid, msg })}\n`);
  process.kill(process.pid, "SIGKILL");
}

setTimeout(check, tickMs);
