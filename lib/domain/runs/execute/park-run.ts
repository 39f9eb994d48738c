import { requireTransitions } from "#lib/contract/run/run";
import type { ParkedRetry } from "#lib/core/engine/retry";
import type { Wait } from "#lib/core/engine/waits";
import { type Mask, maskError, NO_MASK } from "#lib/core/redaction/mask-texts";
import { sanitize } from "#lib/core/redaction/sanitize";
import { lockLease } from "#lib/domain/journal/lock-lease";
import { array, boolean, enumOf, integer, jsonb, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, repeatableTransaction } from "#lib/platform/db/pool";
import { dequeueRuns } from "#lib/platform/jobs/enqueue";
import { requeueRuns } from "#lib/platform/jobs/requeue-runs";

const PARKED_STATUSES = ["waiting_for_approval", "running"] as const;
requireTransitions(["running"], "waiting_for_approval");

const writeParked = defineStatement({
  name: "park_run",
  params: { runId: uuid, status: enumOf(PARKED_STATUSES), retries: jsonb<ParkedRetry[]>(), journalBytes: integer },
  sql: `update runs set status = $2, lease_owner = null, lease_token = lease_token + 1, claimed_at = null,
          journal_bytes = $4,
          running_ms = running_ms + (extract(epoch from now() - claimed_at) * 1000)::integer,
          retries = (
            select jsonb_agg(w - 'waitMs' || jsonb_build_object(
              'dueMs', extract(epoch from now()) * 1000 + (w ->> 'waitMs')::float8))
            from jsonb_array_elements($3::jsonb) w)
        where id = $1`,
});

const findNews = defineStatement({
  name: "find_news",
  params: {
    runId: uuid,
    gateNodes: array(text),
    gateIterations: array(text),
    subRunIds: array(uuid),
    callbackNodes: array(text),
    callbackIterations: array(text),
  },
  row: { news: boolean },
  sql: `select exists (select 1 from approvals a
            join unnest($2::text[], $3::text[]) as g (node_id, iteration) using (node_id, iteration)
            where a.run_id = $1 and a.status <> 'pending')
          or exists (select 1 from runs where id = any($4::uuid[]) and completed_at is not null)
          or exists (select 1 from callbacks c
            join unnest($5::text[], $6::text[]) as w (node_id, iteration) using (node_id, iteration)
            where c.run_id = $1 and c.status <> 'waiting') as news`,
});

/**
 * Releases a run that has nothing left to do but wait; it occupies no worker until it continues (decisions, Approvals).
 * A run that waits only for decisions becomes `waiting_for_approval`; one that also waits for something else stays
 * `running`, without a worker. For the end of a delay, of the pause before a retry or of the time of a callback it is
 * queued here; a decision, a callback and the end of a sub-run queue it then. The run's time limit does not count the
 * time until it continues. A decision or callback that arrived while the worker still executed is found here, under the
 * run's lock, which both take too.
 * @param mask hides the secrets of the definition in the error of an attempt that is retried
 * @returns in how many ms it is due; null if something else queues it
 * @throws LeaseLost if this worker no longer has the run
 */
export function parkRun(
  lease: { runId: string; token: number },
  { waits, journalBytes }: { waits: readonly Wait[]; journalBytes: number },
  mask: Mask = NO_MASK,
): Promise<number | null> {
  return repeatableTransaction(async (tx) => {
    const { stalled } = await lockLease(tx, lease);
    const isOver = await hasNews(tx, lease.runId, waits);
    const times = waits.flatMap((wait) => ("ms" in wait ? [wait.ms] : []));
    const isForApproval = !isOver && waits.every((wait) => wait.kind === "approval");
    await writeParked.run(tx, {
      runId: lease.runId,
      status: isForApproval ? "waiting_for_approval" : "running",
      retries: waits.flatMap((wait) => parkedRetry(wait, mask)),
      journalBytes,
    });
    const afterMs = isOver ? 0 : times.length > 0 ? Math.max(0, Math.min(...times)) : null;
    if (afterMs === null) await dequeueRuns(tx, [lease.runId]);
    else await requeueRuns(tx, [{ runId: lease.runId, stalled, afterMs }]);
    return afterMs;
  });
}

/** The retry is in the journal when its attempt starts, and until then with the run: sanitized like there. */
function parkedRetry(wait: Wait, mask: Mask): ParkedRetry[] {
  if (wait.kind !== "time" || !wait.retry) return [];
  const { console, ...retry } = wait.retry;
  const lines = console ? { console: sanitize(mask(console)) } : {};
  return [{ ...retry, ...lines, error: sanitize(maskError(mask, retry.error)), waitMs: wait.ms }];
}

/**
 * Reports whether one of the waits is over. Reads after taking the lock: an end is either seen here, or its writer sees
 * the parked run.
 */
async function hasNews(tx: Db, runId: string, waits: readonly Wait[]): Promise<boolean> {
  const gates = waits.flatMap((wait) => (wait.kind === "approval" ? [wait] : []));
  const subRunIds = waits.flatMap((wait) => (wait.kind === "run" ? [wait.runId] : []));
  const callbacks = waits.flatMap((wait) => (wait.kind === "callback" ? [wait] : []));
  if (gates.length + subRunIds.length + callbacks.length === 0) return false;
  const { news } = await findNews.one(tx, {
    runId,
    gateNodes: gates.map((gate) => gate.nodeId),
    gateIterations: gates.map((gate) => gate.iteration),
    subRunIds,
    callbackNodes: callbacks.map((callback) => callback.nodeId),
    callbackIterations: callbacks.map((callback) => callback.iteration),
  });
  return news;
}
