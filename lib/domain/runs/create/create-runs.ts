import { ApiError } from "#lib/contract/api-error";
import { isWaiting } from "#lib/contract/run";
import { answerRuns, type CreatedRun } from "#lib/domain/runs/create/answer-runs";
import { type DescribedRun, describeRun } from "#lib/domain/runs/create/insert-run";
import { prepareRun, type RunRequest } from "#lib/domain/runs/create/prepare-run";
import { skipRefused } from "#lib/domain/runs/create/skip-refused";
import { type WrittenRun, writeRuns } from "#lib/domain/runs/create/write-runs";
import { type ChangedRun, notifyRuns } from "#lib/domain/runs/notify/notify-runs";
import type { Db } from "#lib/platform/db/pool";
import { announceJob } from "#lib/platform/jobs/announce-jobs";
import { takeTurn } from "#lib/support/take-turn";

export interface PreparedRun {
  request: RunRequest;
  described: DescribedRun;
}

/**
 * Does what needs no database: validates the inputs, fills in defaults and sanitizes. Other requests get their turn in
 * between.
 * @returns a run to create, or INPUT_VALIDATION_FAILED, for each request, in the same order
 */
export async function prepareRuns(requests: readonly RunRequest[]): Promise<(PreparedRun | ApiError)[]> {
  const prepared: (PreparedRun | ApiError)[] = [];
  for (const request of requests) {
    const turn = takeTurn();
    if (turn !== null) await turn;
    prepared.push(prepareOrRefuse(request));
  }
  return prepared;
}

function prepareOrRefuse(request: RunRequest): PreparedRun | ApiError {
  try {
    return { request, described: describeRun(prepareRun(request), { announcesJob: true }) };
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/**
 * Creates runs in the caller's transaction, in the given order; a refused one does not affect the others. The caller
 * calls announceRuns after the commit.
 * @returns an answer or a refusal for each, in the same order
 */
export function createRuns(tx: Db, runs: readonly (PreparedRun | ApiError)[]): Promise<(CreatedRun | ApiError)[]> {
  return skipRefused(runs, async (prepared) => {
    const written = await writeRuns(
      tx,
      prepared.map(({ described }) => described),
    );
    const toAnswer = prepared.map(({ request }, index) => ({ request, written: written[index] as WrittenRun }));
    return answerRuns(toAnswer, tx);
  });
}

/** Notifies the workers of queued runs, and open pages of runs that wait for approval. */
export async function announceRuns(
  requests: readonly RunRequest[],
  created: readonly (CreatedRun | ApiError)[],
): Promise<void> {
  const held: ChangedRun[] = [];
  for (const [index, made] of created.entries()) {
    const { workspaceId } = requests[index] as RunRequest;
    if (made instanceof ApiError || made.outcome !== "created") continue;
    if (made.run.status === "accepted") announceJob();
    else if (isWaiting(made.run.status)) held.push({ id: made.run.run_id, workspaceId });
  }
  await notifyRuns(held, { haveEnded: false });
}
