import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { isTerminal, RUN_STATUSES, type RunStatus } from "#lib/contract/run/run";
import type { CallbackDelivery } from "#lib/core/engine/ports";
import { type CallbackReading, readCallback } from "#lib/core/input/read-callback";
import { digestBody } from "#lib/domain/callbacks/callback-token";
import type { FoundCallback } from "#lib/domain/callbacks/find-callback";
import { CALLBACK_STATUSES, callbackContext } from "#lib/domain/callbacks/open-callback";
import { PoolError } from "#lib/platform/child-pool/pool-error";
import { runRequestJob } from "#lib/platform/compute/run-request-job";
import {
  boolean,
  bytea,
  enumOf,
  filled,
  integer,
  nullable,
  text,
  timestamptz,
  uuid,
} from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, repeatableTransaction } from "#lib/platform/db/pool";
import { requeueRuns } from "#lib/platform/jobs/requeue-runs";
import { seal } from "#lib/platform/secrets/seal";

interface Delivery {
  headers: Headers;
  body: Uint8Array;
}

export interface ReceivedAnswer {
  receivedAt: Date;
  /** True if the same body was accepted before. */
  isRepeat: boolean;
}

const lockRun = defineStatement({
  name: "lock_run_of_callback",
  params: { runId: uuid },
  row: { status: enumOf(RUN_STATUSES), stalled: integer, isParked: boolean },
  sql: `select status, stalled, status = 'running' and lease_owner is null as "isParked" from runs
        where id = $1 for no key update`,
});

const findRow = defineStatement({
  name: "find_callback",
  params: { runId: uuid, nodeId: text, iteration: text },
  row: {
    status: enumOf(CALLBACK_STATUSES),
    isOver: boolean,
    receivedAt: nullable(timestamptz),
    digest: nullable(bytea),
  },
  sql: `select status, coalesce(expires_at <= clock_timestamp(), false) as "isOver", received_at as "receivedAt", digest
        from callbacks where run_id = $1 and node_id = $2 and iteration = $3`,
});

const writeDelivery = defineStatement({
  name: "receive_callback",
  params: { runId: uuid, nodeId: text, iteration: text, workspaceId: uuid, digest: bytea, sealed: bytea },
  row: { receivedAt: filled(timestamptz), isAwaited: boolean },
  sql: `insert into callbacks as c (run_id, node_id, iteration, workspace_id, status, received_at, digest, sealed)
        values ($1, $2, $3, $4, 'received', clock_timestamp(), $5, $6)
        on conflict (run_id, node_id, iteration) do update set status = 'received', received_at = excluded.received_at,
          digest = excluded.digest, sealed = excluded.sealed
        returning received_at as "receivedAt", opened_at is not null as "isAwaited"`,
});

/**
 * Receives a request to the address of a step (decisions, Callbacks). The first one that fits the schema is kept and
 * resumes the run, also if the run has not reached the step yet. The lock of the run orders requests with each other,
 * with the end of the wait and with a cancel, so exactly one of them wins.
 * @throws ApiError INPUT_VALIDATION_FAILED, BAD_REQUEST, CALLBACK_USED, CALLBACK_CLOSED, and what runRequestJob throws
 */
export async function receiveCallback(callback: FoundCallback, delivery: Delivery): Promise<ReceivedAnswer> {
  const { place, workspaceId, secret } = callback;
  const { body, problems } = await readDelivery(callback, delivery);
  if (problems.length > 0) {
    const message = "The body does not match the schema of the step. The address can still be used.";
    throw new ApiError("INPUT_VALIDATION_FAILED", message, { details: problems });
  }
  const digest = digestBody(secret, place, delivery.body);
  const content: CallbackDelivery = { body, headers: safeHeaders(delivery.headers) };
  const context = callbackContext(place.runId, place.nodeId, place.iteration);
  const sealed = seal(workspaceId, context, content);
  return repeatableTransaction(async (tx) => {
    const run = await lockRun.first(tx, { runId: place.runId });
    if (!run) throw new ApiError("NOT_FOUND", "There is no such callback.");
    const before = await findRow.first(tx, place);
    if (before?.digest && before.receivedAt) {
      if (!before.digest.equals(digest)) throw new ApiError("CALLBACK_USED", "This address was already used.");
      return { receivedAt: before.receivedAt, isRepeat: true };
    }
    if (before?.status === "expired" || before?.isOver) {
      throw new ApiError("CALLBACK_CLOSED", "This address has expired.");
    }
    if (isTerminal(run.status)) throw new ApiError("CALLBACK_CLOSED", "The run that waited has ended.");
    const { receivedAt, isAwaited } = await writeDelivery.one(tx, { ...place, workspaceId, digest, sealed });
    if (isAwaited) await wakeRun(tx, place.runId, run);
    return { receivedAt, isRepeat: false };
  });
}

/** A run that still executes another branch learns of the callback when its worker would park it. */
async function wakeRun(
  tx: Db,
  runId: string,
  { isParked, stalled }: { status: RunStatus; isParked: boolean; stalled: number },
): Promise<void> {
  if (isParked) await requeueRuns(tx, [{ runId, stalled }]);
}

/** Large bodies, and schemas that people wrote, are read in a child process. */
async function readDelivery(
  { workspaceId, schema }: FoundCallback,
  { body: received }: Delivery,
): Promise<CallbackReading> {
  const callback = { body: received, schema };
  const bytes = received.byteLength;
  if (bytes <= LIMITS.inlineJsonBytes) {
    // What is wrong without a schema needs no process, and so no time on a busy machine.
    const reading = readCallback({ body: received, schema: null });
    if (schema === null) return reading;
  }
  return retryUnready(() => runRequestJob({ kind: "read_callback", callback }, { workspaceId, bytes }));
}

const KEPT: ReadonlySet<string> = new Set(["content-type", "user-agent", "traceparent", "idempotency-key"]);
/** Facts about the sender, such as the id of an event. Secrets and what proxies add are left out. */
const CUSTOM = /^x-/;
const LEFT_OUT =
  /auth|token|secret|signature|password|passwd|credential|cookie|session|api-?key|^x-(?:forwarded|real)-/;

/** Returns the headers of a request that a run may read and its journal may store. */
function safeHeaders(headers: Headers): Record<string, string> {
  const kept = [...headers].filter(([name]) => KEPT.has(name) || (CUSTOM.test(name) && !LEFT_OUT.test(name)));
  const shown = kept.slice(0, LIMITS.callbackHeaders);
  return Object.fromEntries(shown.map(([name, value]) => [name, value.slice(0, LIMITS.callbackHeaderCharacters)]));
}

/** Each attempt already waits for a child as long as its limits allow. */
const ATTEMPTS = 3;

/** What says nothing about the job: no process was ready, or the machine took it away or gave it no processor. */
const UNREADY: ReadonlySet<PoolError["kind"]> = new Set(["not_started", "killed", "starved"]);

/**
 * Does a job in a child process, and again if no process was ready for it. The sender of a callback may send only once, so a
 * wrong body must be answered as wrong also on a busy machine.
 * @throws what the job throws; SERVICE_UNAVAILABLE if no process was ready in any attempt
 */
export async function retryUnready<Result>(job: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await job();
    } catch (error) {
      const cause = error instanceof ApiError ? error.cause : null;
      if (attempt === ATTEMPTS || !(cause instanceof PoolError && UNREADY.has(cause.kind))) throw error;
    }
  }
}
