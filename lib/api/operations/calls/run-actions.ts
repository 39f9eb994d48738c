import { z } from "zod";
import {
  assertRunnable,
  callFields,
  readCall,
  readCaller,
  requireVisible,
  slugInput,
} from "#lib/api/operations/calls/call-input";
import type { RequestContext } from "#lib/api/operations/define/caller";
import { badFields, defineOperation, findFieldErrors } from "#lib/api/operations/define/define-operation";
import { ApiError, type ApiErrorBody } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { RunObject } from "#lib/contract/run/run";
import { batchSchema } from "#lib/contract/run/run-schema";
import { skipRefused } from "#lib/domain/runs/create/create-runs";
import type { AnsweredCall } from "#lib/domain/runs/create/run-actions";
import { type BatchItem, runActions } from "#lib/domain/runs/create/run-actions";
import { parseGiven } from "#lib/support/leave-out-nulls";

const itemSchema = z.object({
  ...callFields,
  correlation_id: callFields.correlation_id.describe("Your own reference for this run."),
  idempotency_key: callFields.idempotency_key.describe("Items with the same key create one run."),
});
const { $schema: _, ...itemJsonSchema } = z.toJSONSchema(itemSchema, { io: "input" });

type CommonInput = Pick<z.output<typeof itemSchema>, "correlation_id" | "idempotency_key">;

const inputSchema = z.object({
  slug: slugInput,
  // Each item is parsed for itself, so that an invalid one is its own error and the others run.
  items: z
    .array(z.unknown().meta(itemJsonSchema))
    .min(1)
    .max(LIMITS.batchRuns)
    .describe(`Up to ${LIMITS.batchRuns} calls, each with its own input.`),
  correlation_id: z.string().optional().describe("For the items that have none."),
  idempotency_key: z
    .string()
    .optional()
    .describe("For the items that have none: the item at index N, from 0, gets this key and :N."),
});

export const runActionsOperation = defineOperation({
  name: "run_actions",
  title: "Run action for many inputs",
  description:
    `Starts up to ${LIMITS.batchRuns} runs of one action and returns at once a run or an error for each item. ` +
    "A refused item does not affect the others.",
  scope: "actions:run",
  role: "editor",
  rest: {
    method: "POST",
    path: "/actions/:slug/runs",
    status: 202,
    answers: {
      tag: "Actions",
      successes: {
        202:
          "A run or an error for each item, in the same order. All runs are written in one transaction. " +
          "The call counts as one request; every run counts against the limits of runs.",
      },
      errors: ["ACTION_UNAVAILABLE"],
      headers: ["idempotency-key", "traceparent"],
    },
    assertTarget: assertRunnable,
  },
  mcp: { readOnly: false, destructive: true, openWorld: true, sets: ["run"] },
  input: inputSchema,
  output: batchSchema,
  run: async (caller, input, context) => {
    requireVisible(caller, input.slug);
    const common = {
      correlation_id: input.correlation_id ?? context.correlationId,
      idempotency_key: input.idempotency_key ?? context.idempotencyKey,
    };
    readCall(common);
    const items = input.items.map((item, index) => readItem(item, common, index, context));
    const answers = await skipRefused(items, (valid) =>
      runActions({ ...readCaller(caller, input.slug, context), items: valid }),
    );
    const data = answers.map(presentAnswer);
    if (data.every((item) => item.idempotent_replayed)) context.answerHeaders = { "idempotent-replayed": "true" };
    return { data, refused: data.filter(({ error }) => error !== null).length };
  },
});

/** @param common what the item has if it says nothing else */
function readItem(item: unknown, common: CommonInput, index: number, context: RequestContext): BatchItem | ApiError {
  const parsed = parseGiven(itemSchema, item);
  const errors = findFieldErrors(itemSchema, item, parsed, context);
  if (!parsed.success || errors.length > 0) return badFields(errors);
  const key = common.idempotency_key;
  const defaults = { ...common, ...(key === undefined ? {} : { idempotency_key: `${key}:${index}` }) };
  try {
    return readCall({ ...defaults, ...parsed.data });
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

interface BatchItemAnswer {
  run: RunObject | null;
  error: ApiErrorBody | null;
  idempotent_replayed: boolean;
  retry_after: number | null;
}

function presentAnswer(answer: AnsweredCall | ApiError): BatchItemAnswer {
  return answer instanceof ApiError
    ? {
        run: null,
        error: answer.toBody(),
        idempotent_replayed: false,
        retry_after: answer.retryAfterSeconds ?? null,
      }
    : { run: answer.run, error: null, idempotent_replayed: answer.isReplayed, retry_after: null };
}
