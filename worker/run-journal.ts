import { prepareBatch } from "#lib/checkpoints/prepare-batch";
import type { Db } from "#lib/db/pool";
import type { Clock, EngineEvent, JournalPort } from "#lib/engine/ports";
import { appendEvents, type JournalBatch } from "#lib/journal/append-events";
import type { ClaimedRun } from "#lib/runs/claim-run";
import { persist } from "#worker/persist";

export interface RunJournal extends JournalPort {
  /** What is not written yet, for the statement that ends the run. Nothing may be appended afterwards. */
  rest(): Promise<JournalBatch>;
}

interface JournalOptions {
  db: Db;
  clock: Clock;
  run: ClaimedRun;
  onWritten(): void;
  /** A write that nobody waits for failed. */
  onError(error: unknown): void;
}

/**
 * The journal of one run on Postgres. Events gather until somebody needs them durable; steps without side effects cost
 * no commit of their own. Writes go one after the other, and after a failed one none follows.
 */
export function openJournal({ db, clock, run, onWritten, onError }: JournalOptions): RunJournal {
  const ids = { runId: run.lease.runId, workspaceId: run.workspaceId };
  let waiting: EngineEvent[] = [];
  let writing: Promise<void> = Promise.resolve();
  let isScheduled = false;

  const take = (): JournalBatch => {
    const batch = prepareBatch(ids, waiting, clock.now());
    waiting = [];
    return batch;
  };
  const write = async () => {
    if (waiting.length === 0) return;
    const batch = take();
    await persist(() => appendEvents(db, run.lease, batch));
    onWritten();
  };
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };

  return {
    append: (event) => {
      waiting.push(event);
    },
    flush,
    flushSoon: () => {
      if (isScheduled) return;
      isScheduled = true;
      // After the steps that follow at once: where they end the run, its last statement takes everything along.
      setImmediate(() => {
        isScheduled = false;
        flush().catch(onError);
      });
    },
    rest: async () => {
      await writing;
      return take();
    },
  };
}
