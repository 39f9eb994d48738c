import { loadProgress } from "#lib/checkpoints/load-progress";
import { log } from "#lib/config/log";
import { isTerminal } from "#lib/contract/run";
import { StepError } from "#lib/contract/step-error";
import { LeaseLost } from "#lib/engine/lease-lost";
import { type RunOutcome, runPipeline } from "#lib/engine/run-pipeline";
import { EMPTY_BATCH } from "#lib/journal/append-events";
import { type ClaimedRun, claimRun, findRunStatus } from "#lib/runs/claim-run";
import { type FinalOutcome, finishRun } from "#lib/runs/finish-run";
import { releaseRun } from "#lib/runs/release-run";
import { isPassing, persist } from "#worker/persist";
import { getPlan } from "#worker/plans";
import { postgresBreaker } from "#worker/postgres-breaker";
import { realClock } from "#worker/real-clock";
import { openJournal, type RunJournal } from "#worker/run-journal";
import type { WorkerContext } from "#worker/worker-context";

const INTERNAL = new StepError("UNKNOWN", "The run could not be executed; the cause is in the service's log");

/**
 * The task behind every run: claim it, execute it from where its journal ends, write how it ended.
 *
 * Returning deletes the job, throwing keeps it. A worker that lost a run to another must therefore throw: the row of
 * the job may be the other's by now, and graphile-worker deletes it without asking (its failure does ask).
 */
export async function executeRun(worker: WorkerContext, runId: string): Promise<void> {
  await worker.registered;
  const run = await claimRun(worker.db, runId, worker.poolId);
  if (!run) return;
  const held = { token: run.lease.token, abort: new AbortController() };
  worker.held.set(runId, held);
  worker.announcer.announce(run.workspaceId, runId);
  const journal = openJournal({
    db: worker.db,
    clock: realClock,
    run,
    onWritten: () => worker.announcer.announce(run.workspaceId, runId),
    onError: (error) => held.abort.abort(error),
  });
  try {
    const outcome = await execute(worker, run, journal, held.abort.signal);
    await conclude(worker, run, journal, outcome);
  } catch (error) {
    // Whatever branch is still on its way ends here.
    held.abort.abort(new LeaseLost(runId, { cause: error }));
    await recover(worker, run, error);
  } finally {
    if (worker.held.get(runId) === held) worker.held.delete(runId);
    worker.announcer.announce(run.workspaceId, runId);
  }
}

async function execute(
  worker: WorkerContext,
  run: ClaimedRun,
  journal: RunJournal,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { runId } = run.lease;
  try {
    const plan = await getPlan(run);
    const progress = run.hasJournal
      ? await persist(() => loadProgress(worker.db, { runId, workspaceId: run.workspaceId }))
      : new Map();
    const { input, traceparent, remainingMs } = run;
    const stopping = worker.stopping;
    return await runPipeline(
      { runId, plan, input, traceparent, progress, remainingMs, signal, stopping },
      {
        clock: realClock,
        random: Math.random,
        journal,
        untilFit: worker.untilFit,
        services: { breaker: postgresBreaker(run.workspaceId), send: worker.send, now: realClock.now },
      },
    );
  } catch (error) {
    // Thrown outside any step: the definition itself cannot be executed.
    if (error instanceof StepError) return { status: "failed", error: error.toPayload() };
    throw error;
  }
}

async function conclude(
  worker: WorkerContext,
  run: ClaimedRun,
  journal: RunJournal,
  outcome: RunOutcome,
): Promise<void> {
  if (outcome.status === "interrupted") {
    await journal.flush();
    await persist(() => releaseRun(run.lease));
    return;
  }
  const batch = await journal.rest();
  await persist(() => finishRun(worker.db, run.lease, outcome, batch));
}

/** After anything but an outcome. Returns when the job has done its part, throws when it must stay. */
async function recover(worker: WorkerContext, run: ClaimedRun, error: unknown): Promise<void> {
  const { runId } = run.lease;
  try {
    if (error instanceof LeaseLost) {
      await leave(worker, error, runId);
    } else if (isPassing(error)) {
      log.warn({ err: error, run_id: runId }, "the database was away for too long; the run is handed back");
      await persist(() => releaseRun(run.lease));
    } else {
      log.error({ err: error, run_id: runId }, "a run could not be executed");
      const failed: FinalOutcome = { status: "failed", error: INTERNAL.toPayload() };
      await persist(() => finishRun(worker.db, run.lease, failed, EMPTY_BATCH));
    }
  } catch (cause) {
    if (cause instanceof LeaseLost) return leave(worker, cause, runId);
    // Held by a worker that cannot let go of it the run would stand still; by one that is gone it goes on.
    log.fatal({ err: cause, run_id: runId }, "a run cannot be handed back; this worker ends");
    worker.giveUp();
    throw cause;
  }
}

/** The run is somebody else's. Where it ended (a cancel), the job has nothing left to do. */
async function leave(worker: WorkerContext, lost: LeaseLost, runId: string): Promise<void> {
  const status = await persist(() => findRunStatus(worker.db, runId));
  if (status !== null && !isTerminal(status)) throw lost;
}
