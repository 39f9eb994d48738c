import { ApiError } from "#lib/contract/api-error";
import { isWaiting } from "#lib/contract/run";
import { answerRuns, type CreatedRun } from "#lib/domain/runs/create/answer-runs";
import { type DescribedRun, describeRun, insertRun } from "#lib/domain/runs/create/insert-run";
import { keyInProgress } from "#lib/domain/runs/create/lock-idempotency-keys";
import { prepareRun, type RunRequest } from "#lib/domain/runs/create/prepare-run";
import { type WrittenRun, writeRuns } from "#lib/domain/runs/create/write-runs";
import { notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import type { Db } from "#lib/platform/db/pool";
import { transaction } from "#lib/platform/db/transaction";
import { announceJob } from "#lib/platform/jobs/announce-jobs";
import { isLargeJson } from "#lib/support/is-large-json";
import { nextTurn } from "#lib/support/take-turn";

/**
 * Creates a run, whatever its source; besides createRuns no other code does (contract, Run). Validates the input, fills
 * in defaults, enforces the limits, and writes row, approval and job in one transaction: in `tx`, or in its own, which
 * is usually a single statement.
 * @throws ApiError INPUT_VALIDATION_FAILED before anything is written; RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED (with a
 * caller); IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS
 */
export async function createRun(request: RunRequest, tx?: Db): Promise<CreatedRun> {
  const written = await writeRun(request, tx);
  const [made] = await answerRuns([{ request, written }], tx);
  if (!made) throw new Error("a run has no answer");
  if (made instanceof ApiError) throw made;
  return made;
}

async function writeRun(request: RunRequest, tx: Db | undefined): Promise<WrittenRun> {
  // Without `tx` the run is one statement, already committed here. Within a transaction the caller's commit sends the
  // notice.
  const prepared = prepareRun(request);
  // The input was just validated, and is sanitized and serialized next.
  if (isLargeJson(request.input)) await nextTurn();
  const described = describeRun(prepared, { announcesJob: tx === undefined });
  const { id, workspace_id: workspaceId, status } = described.run.columns;
  try {
    if (tx) return await writeOne(tx, described);
    if (!isWaiting(status)) {
      const inserted = await insertRun(described);
      if (inserted.outcome === "created" && inserted.row.status === "accepted") announceJob();
      return { inserted, approval: null };
    }
    const written = await transaction((held) => writeOne(held, described));
    // No worker announces this run, but approvers have the inbox open.
    if (written.approval) await notifyRuns([{ id, workspaceId }], { haveEnded: false });
    return written;
  } catch (error) {
    // create_run waits for an equal call until its lock_timeout; then the call is a conflict.
    if (!isDatabaseFault(error, "lock_not_available")) throw error;
    throw keyInProgress(error);
  }
}

async function writeOne(tx: Db, described: DescribedRun): Promise<WrittenRun> {
  const [written] = await writeRuns(tx, [described]);
  if (!written) throw new Error("create_run returned no row");
  return written;
}
