import { ApiError } from "#lib/contract/api-error";
import type { CreatedRun, MadeRun } from "#lib/domain/runs/create/answer-runs";
import { announceRuns, createRuns, type PreparedRun, prepareRuns } from "#lib/domain/runs/create/create-runs";
import { keyInProgress, lockIdempotencyKeys } from "#lib/domain/runs/create/lock-idempotency-keys";
import type { RunRequest } from "#lib/domain/runs/create/prepare-run";
import type { Db } from "#lib/platform/db/pool";
import { repeatableTransaction } from "#lib/platform/db/transaction";

/** Rolls a batch back whose action changed. */
class ActionChanged extends Error {
  override readonly name = "ActionChanged";
}

/**
 * Creates the runs of a batch, calls of one action by one caller, in one transaction: a crash leaves all of them or
 * none. Of two calls with the same idempotency key, the first in the list creates the run.
 * @returns a run or a refusal for each, in the same order; null if the action no longer matches the requests, and
 * nothing was written
 */
export async function createBatch(requests: readonly RunRequest[]): Promise<(MadeRun | ApiError)[] | null> {
  const prepared = await prepareRuns(requests);
  try {
    const made = await repeatableTransaction(async (tx) =>
      (await createRuns(tx, await refuseHeldKeys(tx, prepared))).map(requireCurrent),
    );
    await announceRuns(requests, made);
    return made;
  } catch (error) {
    if (error instanceof ActionChanged) return null;
    throw error;
  }
}

function requireCurrent(made: CreatedRun | ApiError): MadeRun | ApiError {
  if (made instanceof ApiError || made.outcome !== "stale") return made;
  throw new ActionChanged();
}

/** Locks the idempotency keys of the batch, and refuses the runs whose key another call holds. */
async function refuseHeldKeys(
  tx: Db,
  prepared: readonly (PreparedRun | ApiError)[],
): Promise<(PreparedRun | ApiError)[]> {
  const keyed = prepared.flatMap((run) => (run instanceof ApiError || !run.described.run.idempotency ? [] : [run]));
  const [first] = keyed;
  if (!first) return [...prepared];
  const { workspace_id: workspaceId, action_slug: actionSlug } = first.described.run.columns;
  const keys = keyed.flatMap(({ request }) => request.idempotencyKey ?? []);
  const held = await lockIdempotencyKeys(tx, { workspaceId, actionSlug: actionSlug ?? "", keys });
  return prepared.map((run) =>
    !(run instanceof ApiError) && held.has(run.request.idempotencyKey ?? "") ? keyInProgress() : run,
  );
}
