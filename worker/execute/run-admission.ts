import { type Admission, type AdmittedRun, NO_WORKSPACE } from "#lib/domain/runs/execute/admit-runs";
import { log } from "#lib/platform/config/log";
import { findUnavailableReason, isTransientDatabaseError } from "#lib/platform/db/classify-database-error";
import {
  type AdmissionEvent,
  type AdmissionState,
  findIntake,
  nextAdmissionState,
} from "#worker/execute/admission-states";
import type { MemoryLeft } from "#worker/execute/measure-memory";
import { openSlots, type Slot, type Slots } from "#worker/execute/slots";

/** The runs that are admitted to this worker, and those it executes. */
export interface RunAdmission {
  /** Looks for runs now: some were queued. */
  wake(): void;
  /** Looks for runs in this time, when one becomes due. */
  wakeIn(ms: number): void;
  /** Executes an admitted run: the task of its job. Resolves when it has ended, or stays in the queue. */
  execute(run: AdmittedRun): Promise<void>;
  /**
   * Admits no more runs and resolves when the running ones have ended or are released.
   * @param endJobs ends the delivery of jobs, and resolves when no task is left; the runs that it did not deliver are returned
   */
  stop(endJobs?: () => Promise<void>): Promise<void>;
  /** Rejects when the queue cannot be read, for a reason that does not pass. */
  ended: Promise<void>;
}

export interface AdmissionOptions {
  /** How many runs the worker executes at once. */
  slots: number;
  /** How many of them may use this process at once; the others wait. */
  workingMax(): number;
  /** @param request wants 0 to notify other workers that have room for a due run */
  admit(request: { wanted: number; afterWorkspace: string; isOnlyNew: boolean }): Promise<Admission>;
  /** Executes the jobs of these runs: each calls `RunAdmission.execute`. */
  deliver(runs: readonly AdmittedRun[]): void;
  /** Executes a run. Rejects if it stays in the queue. */
  execute(runId: string, slot: Slot): Promise<"settled" | "stale">;
  drop(run: AdmittedRun): Promise<void>;
  giveBack(run: AdmittedRun, isRetry: boolean): Promise<void>;
  /** For how many more runs the process has memory. */
  memoryLeft?(): MemoryLeft;
  /** How often an idle worker looks for runs that no notice announced. */
  pollMs?: number;
}

const POLL_MS = 2_000;
const RETRY_MS = 500;
/** A worker that PostgreSQL refuses runs this often in a row has another problem than the database being away. */
const REFUSALS_MAX = 5;
/** setTimeout takes no more. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

/**
 * Admits runs whenever there is room and the queue may have some: after a notice, when a run ends or starts to wait, when
 * a later run is due, and once in a while in case a notice was lost. One request to the database is in flight at a
 * time, for as many runs as there is room, and none is admitted that does not start at once.
 */
export function startAdmission(options: AdmissionOptions): RunAdmission {
  const loop = new AdmissionLoop(options);
  const due = openAlarm(() => loop.wakeAll());
  loop.onLater = due.setIn;
  const poll = setInterval(() => loop.wake(), options.pollMs ?? POLL_MS);
  loop.wake();
  return {
    wake: () => loop.wake(),
    wakeIn: due.setIn,
    execute: (run) => loop.execute(run),
    ended: loop.failed.promise,
    stop: async (endJobs) => {
      clearInterval(poll);
      await loop.stop(endJobs);
      // A run that was parked while the others ended may have set it.
      due.clear();
    },
  };
}

type Request = Parameters<AdmissionOptions["admit"]>[0];

class AdmissionLoop {
  readonly failed = Promise.withResolvers<void>();
  /** Receives in how many ms a later run is due. */
  onLater: (ms: number) => void = () => {};
  readonly #options: AdmissionOptions;
  readonly #slots: Slots;
  /** By ticket: the admitted runs whose jobs have not started, and their places. */
  readonly #expected = new Map<number, { run: AdmittedRun; slot: Slot }>();
  readonly #executing = new Set<Promise<void>>();
  /** By run: its execution that was started last. */
  readonly #lastOf = new Map<string, Promise<void>>();
  readonly #pause = openAlarm(() => this.#look());
  readonly #retry = openAlarm(() => this.wake());
  #state: AdmissionState = "ready";
  /** The request in flight, until its answer is handled. */
  #looking: Promise<void> | null = null;
  #isScheduled = false;
  /** A run may have become due that other workers do not know of. */
  #mayPassOn = false;
  /** How often in a row PostgreSQL answered and refused. */
  #refusals = 0;
  #newcomersAt = Number.NEGATIVE_INFINITY;
  #afterWorkspace = NO_WORKSPACE;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#slots = openSlots({
      ceiling: options.slots,
      workingMax: options.workingMax,
      onRoom: (hasLeft) => {
        if (hasLeft) {
          this.#enter("leave");
          // Another worker may have room for what the workspace of that run may now start, even if this one has none.
          this.#mayPassOn = true;
        }
        if (this.#state === "ready") this.#schedule();
      },
    });
  }

  wake(): void {
    this.#enter("wake");
    this.#look();
  }

  /** Looks for runs that only this worker knows of. Without room it leaves them to others. */
  wakeAll(): void {
    this.#mayPassOn = true;
    this.wake();
  }

  async stop(endJobs?: () => Promise<void>): Promise<void> {
    this.#enter("stop");
    this.#pause.clear();
    this.#retry.clear();
    await this.#looking;
    await endJobs?.();
    while (this.#executing.size > 0) await Promise.all(this.#executing);
    const left = [...this.#expected.values()];
    this.#expected.clear();
    await Promise.all(left.map(({ run }) => this.#giveBack(run, false)));
  }

  /**
   * A run can be queued again while this worker executes it. Two executions would claim it with the same token in one
   * statement, so the second one waits and then finds what is left to do.
   */
  execute(run: AdmittedRun): Promise<void> {
    const slot = this.#expected.get(run.ticket)?.slot ?? this.#slots.take();
    this.#expected.delete(run.ticket);
    const before = this.#lastOf.get(run.runId) ?? Promise.resolve();
    const execution = before
      .then(() => this.#execute(run, slot))
      .finally(() => {
        this.#executing.delete(execution);
        if (this.#lastOf.get(run.runId) === execution) this.#lastOf.delete(run.runId);
        slot.leave();
      });
    this.#executing.add(execution);
    this.#lastOf.set(run.runId, execution);
    return execution;
  }

  #enter(event: AdmissionEvent): void {
    this.#state = nextAdmissionState(this.#state, event);
  }

  /** Looks once per turn of the event loop: runs end in batches. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#look();
    });
  }

  #look(): void {
    if (this.#state !== "ready" || this.#looking !== null) return;
    const request = this.#nextRequest();
    if (!request) return;
    this.#enter("ask");
    this.#mayPassOn = false;
    this.#looking = this.#options
      .admit(request)
      .then((admission) => this.#receive(admission, request))
      .catch((error: unknown) => this.#recover(error))
      .finally(() => {
        this.#looking = null;
        this.#look();
      });
  }

  /** What to ask for now; null to look again later. */
  #nextRequest(): Request | null {
    const request = this.#requestRuns();
    if (request || !this.#mayPassOn) return request;
    return { wanted: 0, afterWorkspace: this.#afterWorkspace, isOnlyNew: true };
  }

  #requestRuns(): Request | null {
    const { memoryLeft = () => "enough", slots: ceiling } = this.#options;
    const intake = findIntake({
      ceiling,
      held: this.#slots.held(),
      room: this.#slots.room(),
      memory: memoryLeft(),
      sinceNewcomersMs: performance.now() - this.#newcomersAt,
    });
    if (intake.kind === "pause") this.#pause.setIn(intake.ms);
    if (intake.kind === "pause" || intake.kind === "full") return null;
    const isOnlyNew = intake.kind === "newcomers";
    if (isOnlyNew) this.#newcomersAt = performance.now();
    return { wanted: intake.wanted, afterWorkspace: this.#afterWorkspace, isOnlyNew };
  }

  async #receive({ runs, lastWorkspace, hasMore, nextInMs }: Admission, { wanted, isOnlyNew }: Request): Promise<void> {
    if (this.#state === "stopped") {
      await Promise.all(runs.map((run) => this.#giveBack(run, false)));
      return;
    }
    this.#refusals = 0;
    this.#afterWorkspace = lastWorkspace;
    if (nextInMs !== null) this.onLater(nextInMs);
    for (const run of runs) this.#expected.set(run.ticket, { run, slot: this.#slots.take() });
    if (runs.length > 0) this.#options.deliver(runs);
    if (!hasMore) this.#enter("nothing");
    else this.#enter(!isOnlyNew && runs.length < wanted ? "limit" : "more");
  }

  #recover(error: unknown): void {
    if (findUnavailableReason(error) === null) this.#refusals += 1;
    if (this.#refusals >= REFUSALS_MAX || !isTransientDatabaseError(error)) {
      this.#enter("stop");
      this.failed.reject(error);
      return;
    }
    log.warn({ err: error }, "no runs can be admitted from the queue");
    this.#enter("fail");
    if (this.#state !== "stopped") this.#retry.setIn(RETRY_MS);
  }

  async #execute(run: AdmittedRun, slot: Slot): Promise<void> {
    const { execute, drop } = this.#options;
    try {
      if ((await execute(run.runId, slot)) === "stale") await drop(run);
    } catch (error) {
      log.warn({ err: error, run_id: run.runId }, "a run stays in the queue");
      await this.#giveBack(run, true);
    }
  }

  async #giveBack(run: AdmittedRun, isRetry: boolean): Promise<void> {
    try {
      await this.#options.giveBack(run, isRetry);
    } catch (error) {
      log.warn({ err: error, run_id: run.runId }, "a run could not be returned; the reconciler queues it again");
    }
  }
}

/** A timer that rings at the earliest of the times it was set to. */
function openAlarm(ring: () => void): { setIn(ms: number): void; clear(): void } {
  let timer: NodeJS.Timeout | null = null;
  let at = Number.POSITIVE_INFINITY;
  const clear = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    at = Number.POSITIVE_INFINITY;
  };
  return {
    clear,
    setIn: (ms) => {
      const then = performance.now() + ms;
      if (then >= at) return;
      clear();
      at = then;
      const delayMs = Math.min(TIMEOUT_MAX_MS, Math.ceil(ms));
      timer = setTimeout(() => {
        clear();
        ring();
      }, delayMs);
    },
  };
}
