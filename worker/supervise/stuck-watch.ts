import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";

/** What the watching thread is given. */
export interface StuckWatch {
  /** Its first number is another one whenever the main thread has come round. */
  turns: Int32Array;
  tickMs: number;
  /** Looks in a row that find the same number. */
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
  const msg = "this worker's event loop stands still; it ends at once";
  writeSync(2, `${JSON.stringify({ level: "fatal", time: new Date().toISOString(), pid: process.pid, msg })}\n`);
  process.kill(process.pid, "SIGKILL");
}, tickMs);
