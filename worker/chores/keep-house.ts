import { makeWorkerUtils } from "graphile-worker";
import { KEY_USAGE_DAYS } from "#lib/contract/key/key-usage";
import { deleteOldSignInAttempts } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { deleteOldSessions } from "#lib/domain/accounts/list-sessions";
import { deleteExpiredSignInTokens } from "#lib/domain/accounts/two-step/sign-in-token";
import { emptyDeletedWorkflows } from "#lib/domain/workflows/empty-deleted-workflows";
import { deleteOldInviteMails } from "#lib/domain/workspaces/invites/take-invite-mail";
import { integer } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";

const isPrepared = false;
const deleteDeadWorkers = defineStatement({
  name: "delete_dead_workers",
  sql: `with dead as (
          delete from worker_heartbeats where dead_at < now() - interval '1 day' returning pool_id
        )
        delete from opened_runs where pool_id in (select pool_id from dead)`,
  isPrepared,
});
const deleteOldKeyRequests = defineStatement({
  name: "delete_old_key_requests",
  params: { days: integer },
  sql: "delete from key_requests where hour < now() - make_interval(days => $1)",
  isPrepared,
});

/** Deletes what grows slowly and is not read anymore. */
export async function keepHouse(): Promise<void> {
  await deleteDeadWorkers.run(db());
  await deleteOldSessions();
  await deleteExpiredSignInTokens(db());
  await deleteOldSignInAttempts(db());
  await deleteOldInviteMails();
  await emptyDeletedWorkflows();
  await deleteOldKeyRequests.run(db(), { days: KEY_USAGE_DAYS + 1 });
  const queue = await makeWorkerUtils({ pgPool: db() });
  try {
    await queue.cleanup({ tasks: ["DELETE_PERMAFAILED_JOBS"] });
  } finally {
    await queue.release();
  }
}
