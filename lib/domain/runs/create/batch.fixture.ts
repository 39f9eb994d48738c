import { ApiError } from "#lib/contract/error/api-error";
import type { Stage } from "#lib/domain/runs/create/call-action.fixture";
import { type ActionCall, type AnsweredCall, type BatchItem, runActions } from "#lib/domain/runs/create/run-actions";

type Answer = AnsweredCall | ApiError;

/** For tests: returns a valid item of a batch. */
export const item = (more: Partial<BatchItem> = {}): BatchItem => ({
  input: { name: "Ada" },
  dryRun: false,
  ...more,
});
export const itemsNamed = (...names: string[]) => names.map((name) => item({ input: { name } }));
export const keyed = (...keys: string[]) => keys.map((key) => item({ input: { name: key }, idempotencyKey: key }));

/** For tests: calls the stage's action once for each item. */
export function callBatch({ workspace, action }: Stage, items: BatchItem[], more: Partial<ActionCall> = {}) {
  return runActions({ ...workspace, slug: action.slug, source: "action", items, ...more });
}

export const isRun = (answer: Answer): answer is AnsweredCall => !(answer instanceof ApiError);
export const batchRuns = (answers: readonly Answer[]) => answers.filter(isRun).map(({ run }) => run);
/** Returns "run", "replayed", or the error's code for each item. */
export const outcomes = (answers: readonly Answer[]) =>
  answers.map((answer) => (isRun(answer) ? (answer.isReplayed ? "replayed" : "run") : answer.code));
