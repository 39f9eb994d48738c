import { isTerminal } from "#lib/contract/run/run";
import { StepError } from "#lib/contract/run/step-error";
import { LeaseLost, RunReleased } from "#lib/core/engine/lease-lost";
import { type RunOutcome, runPipeline } from "#lib/core/engine/run-pipeline";
import { type Mask, maskError, maskWarning, NO_MASK } from "#lib/core/redaction/mask-texts";
import { type CleanPayloads, newCleanPayloads } from "#lib/core/redaction/sanitize";
import { getCallbackSecret } from "#lib/domain/callbacks/callback-secret";
import { EMPTY_BATCH, type JournalBatch } from "#lib/domain/journal/append-events";
import { type LoadedProgress, loadProgress } from "#lib/domain/journal/checkpoints/load-progress";
import { endOpenParts } from "#lib/domain/runs/execute/end-open-parts";
import type { FinalOutcome } from "#lib/domain/runs/execute/finish-runs";
import { findRunStatus, type OpenedRun, ownInput } from "#lib/domain/runs/execute/open-runs";
import { parkRun } from "#lib/domain/runs/execute/park-run";
import { prepareOutput } from "#lib/domain/runs/execute/prepare-output";
import { releaseRun } from "#lib/domain/runs/execute/release-run";
import { wakeParents } from "#lib/domain/runs/notify/wake-parents";
import { exportTraces } from "#lib/domain/runs/traces/export-traces";
import { log } from "#lib/platform/config/log";
import { isTransientDatabaseError } from "#lib/platform/db/classify-database-error";
import { transaction } from "#lib/platform/db/pool";
import { count, observeRun } from "#lib/platform/metrics/counters";
import { uuidv7Ms } from "#lib/support/ids";
import { takeTurn } from "#lib/support/take-turn";
import { persist } from "#worker/execute/persist";
import { getPlan, maskOf } from "#worker/execute/plans";
import { realClock } from "#worker/execute/real-clock";
import { openJournal, type RunJournal } from "#worker/execute/run-journal";
import { clockOf, type Slot } from "#worker/execute/slots";
import { stepServices } from "#worker/execute/step-services";
import { withTrace } from "#worker/execute/trace-run";
import type { WorkerContext } from "#worker/execute/worker-context";

type EndedOutcome = Exclude<RunOutcome, { journalBytes: number }>;

/** A run that takes longer than this is claimed, so that it shows as running. */
const CLAIM_AFTER_MS = 100;
const INTERNAL = new StepError("internal_failure", "The run could not be executed; the cause is in the service's log");
const NO_PROGRESS: LoadedProgress = { progress: new Map(), journalBytes: 0, consoleBytes: 0, warnings: [] };

interface Execution {
  worker: WorkerContext;
  run: OpenedRun;
  slot: Slot;
  journal: RunJournal;
  /** Hides the secrets that people typed into the definition. They are known once the definition is. */
  mask: Mask;
  /** What its large payloads became when they were cleaned. */
  cleaned: CleanPayloads;
  /** Aborted when the run is no longer ours. */
  abort: AbortController;
  /** True when the run may leave approval requests and sub-runs behind. */
  mayLeaveOpen: boolean;
}

/**
 * Executes a run that was taken from the queue, from where its journal ends, and writes its outcome.
 * @param slot the place that the run occupies on this worker
 * @returns `settled`: it is no longer taken, because its end, its parking or its release says so; `stale`: it has
 * nothing to execute
 * @throws if it stays in the queue, to be taken again later
 */
export async function executeRun(worker: WorkerContext, runId: string, slot: Slot): Promise<"settled" | "stale"> {
  try {
    const run = await worker.store.openRun(runId);
    if (run instanceof LeaseLost) throw run;
    if (!run) return "stale";
    return await withTrace(run, (traced) => executeOpened(worker, traced, slot));
  } finally {
    worker.store.leaveRun(runId);
  }
}

async function executeOpened(worker: WorkerContext, run: OpenedRun, slot: Slot): Promise<"settled" | "stale"> {
  const { runId } = run.lease;
  const abort = new AbortController();
  const announce = () => worker.announcer.announce(run.workspaceId, runId);
  const cleaned = newCleanPayloads();
  const journal = openJournal({
    clock: realClock,
    run,
    mask: (value, known) => execution.mask(value, known),
    cleaned,
    // A commit takes as long as the disk, so other runs start meanwhile and share the next one.
    append: (write, isRepeat) => slot.whileWaiting(worker.store.appendEvents(write, isRepeat)),
    onWritten: announce,
    onError: (error) => abort.abort(error),
  });
  const execution: Execution = { worker, run, slot, journal, mask: NO_MASK, cleaned, abort, mayLeaveOpen: false };
  const held = { lease: run.lease, abort };
  worker.held.add(held);
  const claiming = setTimeout(() => void journal.flush().catch((error: unknown) => abort.abort(error)), CLAIM_AFTER_MS);
  try {
    const outcome = await execute(execution);
    clearTimeout(claiming);
    await conclude(execution, outcome);
    return "settled";
  } catch (error) {
    // Branches that are still running end here.
    abort.abort(new LeaseLost(runId, { cause: error }));
    return await recover(execution, error);
  } finally {
    clearTimeout(claiming);
    worker.held.delete(held);
    announce();
  }
}

async function execute(execution: Execution): Promise<RunOutcome> {
  const { worker, run, slot, journal, abort } = execution;
  const { runId } = run.lease;
  try {
    const planned = await getPlan(worker.db, run);
    const { plan } = planned;
    const input = ownInput(run);
    execution.mask = maskOf(planned, run, input);
    execution.mayLeaveOpen = plan.mayWait;
    const { progress, journalBytes, consoleBytes, warnings } = run.hasJournal
      ? await persist(() =>
          loadProgress(worker.db, { runId, workspaceId: run.workspaceId, journalBytes: run.journalBytes }),
        )
      : NO_PROGRESS;
    const callbackSecret = plan.hasAddresses
      ? await persist(() => getCallbackSecret(worker.db, run.workspaceId))
      : null;
    const { traceparent, remainingMs, retries } = run;
    return await runPipeline(
      {
        runId,
        plan,
        input,
        traceparent,
        progress,
        journalBytes,
        consoleBytes,
        warnings,
        remainingMs,
        retries,
        signal: abort.signal,
        stopping: worker.stopping,
      },
      {
        clock: clockOf(slot),
        random: Math.random,
        journal,
        untilFit: worker.untilFit,
        takeTurn,
        services: stepServices(worker, run, { slot, abort, mask: execution.mask, callbackSecret }),
      },
    );
  } catch (error) {
    // Thrown outside any step: the definition itself cannot be executed.
    if (error instanceof StepError) return { status: "failed", error: error.toPayload() };
    throw error;
  }
}

async function conclude(execution: Execution, outcome: RunOutcome): Promise<void> {
  const { worker, run, journal } = execution;
  if (outcome.status === "interrupted") return release(execution, outcome.journalBytes);
  if (outcome.status === "parked") {
    await journal.flush();
    const afterMs = await persist(() => parkRun(run.lease, outcome, execution.mask));
    if (afterMs !== null) worker.queue.wakeIn(afterMs);
    return;
  }
  await finish(execution, outcome, await journal.rest());
}

/** @param journalBytes null if unknown */
async function release({ run, journal }: Execution, journalBytes: number | null): Promise<void> {
  // Claims the run if it is unclaimed: releasing it is what queues it again. Waits for a claim that is in flight.
  await journal.flush();
  await persist(() => releaseRun(run.lease, journalBytes));
}

async function finish(execution: Execution, ended: EndedOutcome, batch: JournalBatch): Promise<void> {
  const { worker, run, journal } = execution;
  const { runId } = run.lease;
  const outcome = await storedOutcome(execution, ended);
  const usedMs = journal.usedMs();
  const isOurs = await persist(() => worker.store.finishRun({ lease: run.lease, outcome, usedMs, batch }));
  if (!isOurs) throw new LeaseLost(runId);
  count("signalbox_runs_finished_total", { status: outcome.status });
  observeRun(outcome.status, Math.max(0, Date.now() - uuidv7Ms(runId)));
  exportTraces([runId]);
  if (outcome.status !== "succeeded" && execution.mayLeaveOpen) await persist(() => endOpenParts(runId));
  else if (run.isSubRun) await persist(() => transaction((tx) => wakeParents(tx, [runId])));
}

/** Returns an outcome as its row stores it. */
async function storedOutcome(
  { mask, cleaned, run }: Execution,
  { warnings, ...ended }: EndedOutcome,
): Promise<FinalOutcome> {
  const { workspaceId, redactsOutput } = run;
  const outcome =
    ended.status === "succeeded"
      ? {
          ...ended,
          output: await prepareOutput(
            { runId: run.lease.runId, workspaceId, redactsOutput, mask, cleaned },
            ended.output,
          ),
        }
      : { ...ended, error: maskError(mask, ended.error) };
  return warnings ? { ...outcome, warnings: warnings.map((warning) => maskWarning(mask, warning)) } : outcome;
}

/** Handles everything but an outcome. Throws if the run stays in the queue as it is. */
async function recover(execution: Execution, error: unknown): Promise<"settled" | "stale"> {
  const { worker, run } = execution;
  const { runId } = run.lease;
  try {
    if (error instanceof RunReleased) await release(execution, null);
    else if (error instanceof LeaseLost) return await leave(worker, error, runId);
    else if (!isTransientDatabaseError(error)) {
      log.error({ err: error, run_id: runId }, "a run could not be executed");
      await finish(execution, { status: "failed", error: INTERNAL.toPayload() }, EMPTY_BATCH);
    } else {
      log.warn({ err: error, run_id: runId }, "the database was away for too long; the run is released");
      // The run is open and unclaimed, and is taken again later.
      if (!run.lease.isClaimed) throw error;
      await persist(() => releaseRun(run.lease));
    }
    return "settled";
  } catch (cause) {
    if (cause instanceof LeaseLost) return leave(worker, cause, runId);
    if (!run.lease.isClaimed) throw cause;
    // A worker that cannot release the run would block it; after a worker exits, another one continues its runs.
    log.fatal({ err: cause, run_id: runId }, "a run cannot be released; this worker ends");
    worker.giveUp();
    throw cause;
  }
}

/** The run belongs to another worker, unless it has ended (by a cancel). */
async function leave(worker: WorkerContext, lost: LeaseLost, runId: string): Promise<"stale"> {
  const status = await persist(() => findRunStatus(worker.db, runId));
  if (status !== null && !isTerminal(status)) throw lost;
  return "stale";
}
