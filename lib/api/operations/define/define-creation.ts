import type { z } from "zod";
import { type Caller, type RequestContext, visibleActions } from "#lib/api/operations/define/caller";
import type { Operation } from "#lib/api/operations/define/define-operation";
import { answerOnce, type KeepAnswer } from "#lib/domain/repeats/answer-once";

/** Defines an operation of which a repeated call would create another thing. */
export function defineCreation<const Name extends string, Schema extends z.ZodObject, Output>(
  operation: Operation<Schema, Output, Name> & { output: z.ZodType<NoInfer<Output>>; creates?: never },
): Operation<Schema, Output, Name> {
  const run: typeof operation.run = (caller, input, context) =>
    runOnce<Output>(operation.name, caller, context, (keep) => operation.run(caller, input, context, keep));
  return { ...operation, creates: true, run };
}

/**
 * Runs an operation that creates something, or returns its first answer again. An operation that another one calls has
 * its own answer under the key of the caller: after a lost answer, what is missing is still done.
 * @param run keeps its answer in the transaction that creates
 */
async function runOnce<Output>(
  name: string,
  caller: Caller,
  context: RequestContext,
  run: (keep?: KeepAnswer) => Promise<Output>,
): Promise<Output> {
  const { repeat } = context;
  if (repeat === undefined) return run();
  const { key, operation, payload } = repeat;
  const call = {
    workspaceId: caller.workspaceId,
    operation: name === operation ? name : `${operation}/${name}`,
    key,
    // A key that is limited to some actions must not get the answer to one that is not.
    payload: { payload, actions: visibleActions(caller) },
  };
  const { answer, isReplayed } = await answerOnce(call, run);
  if (isReplayed) context.answerHeaders = { ...context.answerHeaders, "idempotent-replayed": "true" };
  return answer;
}
