import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { readMainThread } from "#lib/platform/child-pool/processor-time";
import { judgeTurns, type StuckLimits } from "#worker/supervise/judge-turns";

/** The input of the watching thread. */
export interface StuckWatch {
  /** The first number changes whenever the main thread completes a turn. */
  turns: Int32Array;
  tickMs: number;
  limits: StuckLimits;
}

const { turns, tickMs, limits }: StuckWatch = workerData;
const isStuck = judgeTurns(limits);

setInterval(() => {
  // Where the system does not show a thread, the whole process counts: its other threads rarely compute.
  const { user, system } = process.cpuUsage();
  const use = readMainThread() ?? { cpuMs: (user + system) / 1_000, isRunnable: true };
  if (!isStuck({ turns: Atomics.load(turns, 0), ...use })) return;
  // The logger's stream needs the main thread.
  const msg = "this worker's event loop is blocked; it ends at once";
  writeSync(2, `${JSON.stringify({ level: "fatal", time: new Date().toISOString(), pid: process.pid, msg })}\n`);
  process.kill(process.pid, "SIGKILL");
}, tickMs);
