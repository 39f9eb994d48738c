import { createHash } from "node:crypto";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { boolean, bytea, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";
import { seal, unseal } from "#lib/platform/secrets/seal";
import { uuidv7 } from "#lib/support/ids";
import { canonicalJson } from "#lib/support/json";

/** A key whose call has not answered for so long belongs to a process that died. */
const ABANDONED_SECONDS = 60;
const RETRY_AFTER_SECONDS = 1;
/** A key can be released between the two statements of an attempt. */
const ATTEMPTS = 3;

export interface RepeatableCall {
  workspaceId: string;
  /** The scope of the key in the workspace. */
  operation: string;
  key: string;
  /** What two calls with the same key must have in common. */
  payload: unknown;
}

/** The context that binds a sealed answer to its call. */
export function answerContext(callId: string): string {
  return `call-answer|${callId}`;
}

const claimKey = defineStatement({
  name: "claim_call_key",
  params: {
    id: uuid,
    workspaceId: uuid,
    operation: text,
    key: text,
    payloadHash: bytea,
    hours: integer,
    abandonedSeconds: integer,
  },
  row: { id: uuid },
  sql: `insert into call_keys as k (id, workspace_id, operation, key, payload_hash) values ($1, $2, $3, $4, $5)
        on conflict (workspace_id, operation, key) do update
          set id = excluded.id, payload_hash = excluded.payload_hash, answer_sealed = null, created_at = clock_timestamp()
          where k.created_at <= clock_timestamp() - make_interval(hours => $6)
            or (k.answer_sealed is null and k.created_at <= clock_timestamp() - make_interval(secs => $7::int))
        returning k.id`,
  isPrepared: false,
});

const findCall = defineStatement({
  name: "find_call_key",
  params: { workspaceId: uuid, operation: text, key: text, payloadHash: bytea },
  row: { id: uuid, is_same: boolean, answer_sealed: nullable(bytea) },
  sql: `select id, payload_hash = $4 as is_same, answer_sealed from call_keys
        where workspace_id = $1 and operation = $2 and key = $3`,
  isPrepared: false,
});

const keepAnswer = defineStatement({
  name: "keep_call_answer",
  params: { workspaceId: uuid, id: uuid, answer: bytea },
  sql: "update call_keys set answer_sealed = $3 where workspace_id = $1 and id = $2",
  isPrepared: false,
});

const releaseKey = defineStatement({
  name: "release_call_key",
  params: { workspaceId: uuid, id: uuid },
  sql: "delete from call_keys where workspace_id = $1 and id = $2 and answer_sealed is null",
  isPrepared: false,
});

/**
 * Keeps the answer to a call. The work calls it in the transaction that creates something, so that both or neither are
 * stored, wherever the process dies.
 */
export type KeepAnswer<Answer = unknown> = (tx: Db, answer: Answer) => Promise<void>;

interface Answered<Answer> {
  answer: Answer;
  /** True if this is the first answer to the key, returned again. */
  isReplayed: boolean;
}

/**
 * Does the work of a call once per key, and returns the first answer to every equal call (decisions, Correlation and
 * idempotency). The key is taken before the work, so that an equal call does not start. A refusal releases it. After any
 * other failure without an answer, it is unknown whether the work is still being done: the key stays taken for a while.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, or what the work throws
 */
export async function answerOnce<Answer>(
  call: RepeatableCall,
  work: (keep: KeepAnswer) => Promise<Answer>,
): Promise<Answered<Answer>> {
  const { workspaceId } = call;
  const taken = await takeKey<Answer>(call);
  if ("answer" in taken) return { answer: taken.answer, isReplayed: true };
  const { id } = taken;
  let isKept = false;
  const keep: KeepAnswer = async (tx, answer) => {
    const sealed = seal(workspaceId, answerContext(id), answer);
    // A call that was slow enough to lose its key must not create a second one: its transaction ends here.
    if ((await keepAnswer.run(tx, { workspaceId, id, answer: sealed })) === 0) throw stillInProgress();
    isKept = true;
  };
  const answer = await work(keep).catch(async (error: unknown) => {
    if (error instanceof ApiError && error.status < 500) await releaseKey.run(db(), { workspaceId, id });
    throw error;
  });
  if (!isKept) throw new Error(`${call.operation} did not keep its answer in the transaction that creates`);
  return { answer, isReplayed: false };
}

/** @returns the id of the call that now holds the key, or the first answer */
async function takeKey<Answer>({ payload, ...scope }: RepeatableCall): Promise<{ id: string } | { answer: Answer }> {
  const asked = { ...scope, payloadHash: createHash("sha256").update(canonicalJson(payload)).digest() };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const limits = { hours: LIMITS.idempotencyKeyHours, abandonedSeconds: ABANDONED_SECONDS };
    const claimed = await claimKey.first(db(), { id: uuidv7(), ...asked, ...limits });
    if (claimed) return claimed;
    const first = await findCall.first(db(), asked);
    if (!first) continue;
    // A call that is refused keeps nothing, so an open one does not decide yet which payload has the key.
    if (first.answer_sealed === null) break;
    if (!first.is_same) {
      throw new ApiError("IDEMPOTENCY_KEY_REUSED", "This idempotency key was used with another payload.");
    }
    return { answer: unseal<Answer>(scope.workspaceId, answerContext(first.id), first.answer_sealed) };
  }
  throw stillInProgress();
}

function stillInProgress(): ApiError {
  const message = "A call with this idempotency key is still being answered.";
  return new ApiError("IDEMPOTENCY_IN_PROGRESS", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
