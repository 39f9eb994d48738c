import { flushCompileCache } from "node:module";
import { env } from "#lib/platform/config/env";
import { log } from "#lib/platform/config/log";
import { returnMemory } from "#lib/platform/config/return-memory";
import { startTelemetry } from "#lib/platform/telemetry/sdk/start-telemetry";
import { openQuarantine } from "#worker/execute/quarantine";
import { startWorker } from "#worker/execute/start-worker";
import { endWhenStuck } from "#worker/supervise/end-when-stuck";
import { untilNeeded } from "#worker/supervise/stand-by";
import { watchForIdleness } from "#worker/supervise/watch-for-idleness";
import { tellSupervisor } from "#worker/supervise/worker-messages";

const DRAIN_MS = env().WORKER_DRAIN_SECONDS * 1_000;
/** To release the runs whose steps did not end in time. */
const RELEASE_MS = 2_000;
/** The least time to finish builds, write counters, and export traces when the runs are done. */
const SIGN_OFF_MIN_MS = 10_000;
/** After the queue failed, its other runs wait for the next worker: long steps are aborted and started again there. */
const QUEUE_LOST_DRAIN_MS = 10_000;

const isQuarantine = process.argv.includes("--quarantine");
/** True when our own supervisor started this process, not a service manager or a test without a quarantine worker. */
const isSupervised = process.argv.includes("--supervised");

/** Ends without writing to the database: the supervisor, or the sweeper of another worker, releases our runs. */
function giveUp(): void {
  process.exit(1);
}

process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "an uncaught error; this worker ends");
  giveUp();
});

returnMemory();
await untilNeeded();
endWhenStuck();
await startTelemetry("worker");

const quarantine = isSupervised ? null : openQuarantine({ log: process.stdout.fd, report: (text) => log.warn(text) });
const starting = startWorker({
  isQuarantine,
  giveUp,
  // When this process ends, the process that started it frees what this pool holds, even before our first heartbeat.
  onPool: (poolId) => tellSupervisor({ type: "pool", poolId }),
  onQuarantineNeeded: () => (quarantine ? quarantine.ensure() : tellSupervisor({ type: "quarantine" })),
  onDrained: () => {
    log.info("the worker holds no more runs");
    limitTime(signOffMs, giveUp);
  },
});
let isStopping = false;
let signOffMs = SIGN_OFF_MIN_MS;
let limit: NodeJS.Timeout | undefined;

/** Limits what this process is doing now. It replaces the limit of what it did before. */
function limitTime(ms: number, onOver: () => void): void {
  clearTimeout(limit);
  limit = setTimeout(onOver, ms).unref();
}

function drain(reason: string, limitMs = DRAIN_MS): void {
  if (isStopping) return;
  isStopping = true;
  log.info({ reason }, "the worker finishes its running steps");
  signOffMs = Math.max(limitMs, SIGN_OFF_MIN_MS);
  limitTime(limitMs, releaseRuns);
  starting
    .then((worker) => worker.stop())
    .then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "the worker could not shut down cleanly");
        giveUp();
      },
    );
}

/** The steps that are still running start again on another worker, with the same idempotency keys. */
function releaseRuns(): void {
  log.warn("running steps did not finish in time; their runs are released");
  limitTime(RELEASE_MS, giveUp);
  starting.then((worker) => worker.release()).catch((error: unknown) => log.error({ err: error }, "no runs released"));
}

process.on("SIGTERM", () => drain("SIGTERM"));
process.on("SIGINT", () => drain("SIGINT"));
// Only with an IPC channel: the process that started us may have ended before we could listen for that.
process.on("disconnect", () => drain("disconnect"));
if (process.connected === false) drain("disconnect");

const { ended } = await starting;
// The compile cache also helps the next start after this process is killed; without a cache this does nothing.
flushCompileCache();
ended
  .catch((error: unknown) => log.error({ err: error }, "the queue failed"))
  // The runs are not at fault: they are released, and the supervisor starts a worker that takes runs again.
  .finally(() => drain("the queue ended", QUEUE_LOST_DRAIN_MS));
if (isQuarantine) watchForIdleness(() => drain("idle"));
