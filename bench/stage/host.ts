import { openSync, writeSync } from "node:fs";
import { superviseWorkers } from "#worker/supervise/supervisor";

/**
 * Simulates a machine that runs workers: a process with the real supervisor in the given environment. Usage, forked:
 * `node bench/stage/host.ts <workers> <log file>`. Reports its workers' process ids whenever they change.
 */
const [count, logFile = ""] = process.argv.slice(2);
const log = openSync(logFile, "a");

const workers = superviseWorkers(Number(count), {
  env: process.env,
  log,
  report: (text) => void writeSync(log, `${text}\n`),
  // The new process id is known only after this callback.
  onStart: () => setImmediate(tell),
});

function tell(): void {
  if (process.connected) process.send?.(workers.flatMap((worker) => worker.pid() ?? []));
}

// The parent process is gone. As after a kill -9 of `npm start`, the workers end by themselves.
process.on("disconnect", () => process.exit());
