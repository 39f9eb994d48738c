import { LIMITS } from "#lib/contract/limits";
import type { LeaseLost } from "#lib/core/engine/lease-lost";
import { appendEvents, type JournalBatch, type JournalWrite } from "#lib/domain/journal/append-events";
import { type Finish, finishRuns } from "#lib/domain/runs/execute/finish-runs";
import { LIST_NUMBERS, type OpenedRun, openRuns } from "#lib/domain/runs/execute/open-runs";
import type { PreparedOutput } from "#lib/domain/runs/execute/prepare-output";
import { isTransientDatabaseError } from "#lib/platform/db/classify-database-error";
import type { Db } from "#lib/platform/db/pool";
import { gather } from "#lib/support/gather";

/** Reads and writes the run of an execution; what many executions do at the same time goes into one statement. */
export interface RunStore {
  /** See openRuns. The run counts as opened until the worker leaves it. */
  openRun(runId: string): Promise<OpenedRun | LeaseLost | null>;
  leaveRun(runId: string): void;
  /** See appendEvents. @param isRepeat the write may have been done already, its answer lost */
  appendEvents(write: JournalWrite, isRepeat: boolean): Promise<boolean>;
  /** See finishRuns. */
  finishRun(finish: Finish): Promise<boolean>;
}

/** About how many bytes the statement takes for a batch. */
const batchBytes = ({ events, checkpoints, large }: JournalBatch) =>
  Buffer.byteLength(events) + Buffer.byteLength(checkpoints) + Buffer.byteLength(large ?? "");

const finishBytes = ({ outcome, batch }: Finish) =>
  batchBytes(batch) + (outcome.status === "succeeded" ? outputBytes(outcome.output) : 0);

const outputBytes = ({ shown, sealed }: PreparedOutput) => Buffer.byteLength(shown) + (sealed?.length ?? 0);

/** Two batches in flight keep both ends busy; a batch that fails because of its data is repeated run by run. */
const GATHERING = { atOnce: 2, max: 50, isItemsFault: (error: unknown) => !isTransientDatabaseError(error) };

/** @param poolId the id of this worker's pool: the owner of its leases */
export function openRunStore(db: Db, poolId: string): RunStore {
  const max = LIMITS.journalStatementBytes;
  const append = gather((writes: JournalWrite[]) => appendEvents(db, writes, { poolId, isRepeat: false }), {
    ...GATHERING,
    bytes: { max, of: ({ batch }) => batchBytes(batch) },
  });
  const appendAgain = async (write: JournalWrite) => {
    const [isOurs] = await appendEvents(db, [write], { poolId, isRepeat: true });
    return isOurs === true;
  };
  const held = new Set<string>();
  let list = 0;
  const open = (runIds: string[]) => {
    for (const runId of runIds) held.add(runId);
    list = (list + 1) % LIST_NUMBERS;
    return openRuns(db, runIds, { poolId, held: [...held], list });
  };
  return {
    openRun: gather(open, GATHERING),
    leaveRun: (runId) => held.delete(runId),
    appendEvents: (write, isRepeat) => (isRepeat ? appendAgain(write) : append(write)),
    finishRun: gather((finishes: Finish[]) => finishRuns(db, finishes), {
      ...GATHERING,
      bytes: { max, of: finishBytes },
    }),
  };
}
