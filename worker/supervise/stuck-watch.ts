import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";

/** The input of the watching thread. */
export interface StuckWatch {
  /** The first number changes whenever the main thread completes a turn. */
  turns: Int32Array;
  tickMs: number;
  /** How many checks in a row may find the same number. */
  ticksMax: number;
}

const { turns, tickMs, ticksMax }: StuckWatch = workerData;
let seen = -1;
let ticks = 0;

setInterval(() => {
  const now = Atomics.load(turns, 0);
  ticks = now === seen ? ticks + 1 : 0;
  seen = now;
  if (ticks < ticksMax) return;
  // The logger's stream needs the main thread.
  const msg = "this worker's event loop is blocked; it ends at once";
  writeSync(2, `${JSON.stringify({ level: "fatal", time: new Date().toISOString(), pid: process.pid, msg })}\n`);
  process.kill(process.pid, "SIGKILL");
}, tickMs);
