import { LeaseLost } from "#lib/core/engine/lease-lost";
import type { Clock, EngineEvent, JournalPort } from "#lib/core/engine/ports";
import type { Mask } from "#lib/core/redaction/mask-texts";
import type { CleanPayloads } from "#lib/core/redaction/sanitize";
import type { JournalBatch, JournalWrite } from "#lib/domain/journal/append-events";
import { prepareBatch, shownError } from "#lib/domain/journal/checkpoints/prepare-batch";
import type { OpenedRun } from "#lib/domain/runs/execute/open-runs";
import { observeStep } from "#lib/platform/metrics/counters";
import { noteWork } from "#lib/platform/metrics/note-work";
import { persist } from "#worker/execute/persist";

export interface RunJournal extends JournalPort {
  /** For how long the run has been executing, in ms. */
  usedMs(): number;
  /** The events not written yet, for the statement that ends the run. Nothing may be appended afterwards. */
  rest(): Promise<JournalBatch>;
}

interface JournalOptions {
  clock: Clock;
  run: OpenedRun;
  /** Hides the secrets that people typed into the definition. */
  mask: Mask;
  /** What the large payloads of the run became before. */
  cleaned: CleanPayloads;
  /** appendEvents; false when the run is no longer ours. */
  append(write: JournalWrite, isRepeat: boolean): Promise<boolean>;
  onWritten(): void;
  /** A write that nothing waits for failed. */
  onError(error: unknown): void;
}

/** How many events of a long loop may gather before they are written: about 30 ms of work for PostgreSQL. */
const GATHERED_MAX = 500;

/**
 * The journal of one run in PostgreSQL. Events gather until one must be durable; steps without side effects cost no
 * commit. The first write claims the run. Writes are sequential, and after a failed one there are no more.
 */
export function openJournal({ clock, run, mask, cleaned, append, onWritten, onError }: JournalOptions): RunJournal {
  const { lease } = run;
  const ids = { runId: lease.runId, workspaceId: run.workspaceId, mask, cleaned };
  const work = { workspaceId: run.workspaceId, runId: lease.runId };
  noteWork(work);
  const openedMs = clock.monotonicMs();
  const usedMs = () => clock.monotonicMs() - openedMs;
  let waiting: EngineEvent[] = [];
  let writing: Promise<void> = Promise.resolve();
  let isScheduled = false;
  let isOver = false;

  const take = (): Promise<JournalBatch> => {
    noteWork(work);
    const events = waiting;
    waiting = [];
    return prepareBatch(ids, events, clock.now());
  };
  const write = async () => {
    if (waiting.length === 0 && lease.isClaimed) return;
    const batch = await take();
    const isOurs = await persist((isRepeat) => append({ lease, usedMs: usedMs(), batch }, isRepeat));
    if (!isOurs) throw new LeaseLost(lease.runId);
    onWritten();
  };
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };

  return {
    usedMs,
    append: (event) => {
      waiting.push(event);
      noteWork(work, event.nodeId);
      if (event.durationMs !== undefined) observeStep(event.kind, event.durationMs);
    },
    shown: (error) => shownError(mask, error),
    flush,
    keepUp: () => (waiting.length < GATHERED_MAX ? null : flush()),
    flushSoon: () => {
      if (isScheduled) return;
      isScheduled = true;
      // After the steps that follow at once: if they end the run, its last statement includes everything.
      setImmediate(() => {
        isScheduled = false;
        // A claim at this moment would refuse the statement that ends the run.
        if (!isOver) flush().catch(onError);
      });
    },
    rest: async () => {
      isOver = true;
      await writing;
      return take();
    },
  };
}
