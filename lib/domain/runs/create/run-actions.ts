import { ApiError } from "#lib/contract/api-error";
import { getRunnableAction } from "#lib/domain/actions/get-runnable-action";
import { createBatch } from "#lib/domain/runs/create/create-batch";
import { findFirstAnswers } from "#lib/domain/runs/create/find-first-answers";
import {
  type ActionCall,
  type AnsweredCall,
  ATTEMPTS,
  actionIsChanging,
  dependsOnAction,
  idempotentCall,
  requestOf,
} from "#lib/domain/runs/create/run-action";
import { inBatchTurn } from "#lib/domain/runs/create/take-batch-turn";

/** The part of a call that each item of a batch has for itself. */
export type BatchItem = Pick<ActionCall, "input" | "dryRun" | "correlationId" | "idempotencyKey">;

export interface BatchCall extends Omit<ActionCall, keyof BatchItem> {
  items: readonly BatchItem[];
}

/**
 * Calls a published action several times in one transaction (decisions, Batches). Every item gets what runAction would
 * return or throw.
 * @returns an answer or a refusal for each item, in the same order
 * @throws ApiError ACTION_NOT_FOUND, ACTION_UNAVAILABLE if that is the answer to every item; `too_many_batches`
 */
export function runActions({ items, ...common }: BatchCall): Promise<(AnsweredCall | ApiError)[]> {
  const calls = items.map((item) => ({ ...common, ...item }));
  return inBatchTurn(common.apiKeyId ?? common.userId, async () => {
    try {
      return await findEarlier(calls, await makeRuns(common, calls));
    } catch (error) {
      if (!(error instanceof ApiError && dependsOnAction(error))) throw error;
      const answers = await findEarlier(
        calls,
        calls.map(() => error),
      );
      if (answers.every((answer) => answer === error)) throw error;
      return answers;
    }
  });
}

async function makeRuns(
  { workspaceId, slug }: Pick<ActionCall, "workspaceId" | "slug">,
  calls: readonly ActionCall[],
): Promise<(AnsweredCall | ApiError)[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const action = await getRunnableAction(workspaceId, slug);
    const made = await createBatch(calls.map((call) => requestOf(call, action)));
    if (made) {
      return made.map((one) =>
        one instanceof ApiError ? one : { run: one.run, isReplayed: one.outcome === "replayed" },
      );
    }
  }
  throw actionIsChanging();
}

/** Replaces refusals by the answers that the same calls got before the action changed, as runAction does. */
async function findEarlier(
  calls: readonly ActionCall[],
  answers: readonly (AnsweredCall | ApiError)[],
): Promise<(AnsweredCall | ApiError)[]> {
  const asked = answers.flatMap((answer, index) => {
    const call = calls[index];
    const earlier = call && answer instanceof ApiError && dependsOnAction(answer) ? idempotentCall(call) : null;
    return earlier ? [{ index, earlier }] : [];
  });
  const found = await findFirstAnswers(asked.map(({ earlier }) => earlier));
  const runs = new Map(asked.map(({ index }, position) => [index, found[position]]));
  return answers.map((answer, index) => {
    const run = runs.get(index);
    return run ? { run, isReplayed: true } : answer;
  });
}
