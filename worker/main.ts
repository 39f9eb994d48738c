import { flushCompileCache } from "node:module";
import { log } from "#lib/platform/config/log";
import { openQuarantine } from "#worker/execute/quarantine";
import { startWorker } from "#worker/execute/start-worker";
import { endWhenStuck } from "#worker/supervise/end-when-stuck";
import { untilNeeded } from "#worker/supervise/stand-by";
import { watchForIdleness } from "#worker/supervise/watch-for-idleness";
import { tellSupervisor } from "#worker/supervise/worker-messages";

/** The step in flight may take 30 s; then there is something left for handing back. */
const DRAIN_MS = 35_000;
/** Where the queue failed, its other jobs wait for the next worker: long steps are begun again there. */
const QUEUE_LOST_DRAIN_MS = 10_000;

const isQuarantine = process.argv.includes("--quarantine");
/** Started by our own supervisor, and not by a service manager or a test that knows nothing of quarantine. */
const isSupervised = process.argv.includes("--supervised");

/** Ends without a word to the database: the supervisor, or the sweeper of another worker, hands our runs on. */
function giveUp(): void {
  process.exit(1);
}

process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "an error nobody caught; this worker ends");
  giveUp();
});

await untilNeeded();
endWhenStuck();

const quarantine = isSupervised ? null : openQuarantine({ log: process.stdout.fd, report: (text) => log.warn(text) });
const starting = startWorker({
  isQuarantine,
  giveUp,
  // Whoever started us frees what this pool holds when we are gone, also when that is before our first heartbeat.
  onPool: (poolId) => tellSupervisor({ type: "pool", poolId }),
  onQuarantineNeeded: () => (quarantine ? quarantine.ensure() : tellSupervisor({ type: "quarantine" })),
});
let isStopping = false;

function drain(reason: string, limitMs = DRAIN_MS): void {
  if (isStopping) return;
  isStopping = true;
  log.info({ reason }, "the worker finishes what it has in hand");
  setTimeout(giveUp, limitMs).unref();
  starting
    .then((worker) => worker.stop())
    .then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "the worker could not stop in order");
        giveUp();
      },
    );
}

process.on("SIGTERM", () => drain("SIGTERM"));
process.on("SIGINT", () => drain("SIGINT"));
// Only with an IPC channel: the process that started us is gone, maybe before we could listen for it.
process.on("disconnect", () => drain("disconnect"));
if (process.connected === false) drain("disconnect");

const { ended } = await starting;
// What was compiled serves the next start also when this process is killed; without a cache it does nothing.
flushCompileCache();
ended
  .catch((error: unknown) => log.error({ err: error }, "the job queue failed"))
  // Its runs are not at fault: they are handed back, and the supervisor starts a worker that takes jobs again.
  .finally(() => drain("the job queue ended", QUEUE_LOST_DRAIN_MS));
if (isQuarantine) watchForIdleness(() => drain("idle"));
