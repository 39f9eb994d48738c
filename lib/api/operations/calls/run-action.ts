import { z } from "zod";
import {
  assertRunnable,
  callFields,
  readCall,
  readCaller,
  requireVisible,
  slugInput,
} from "#lib/api/operations/calls/call-input";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { runSchema } from "#lib/contract/run/run-schema";
import { runAction } from "#lib/domain/runs/create/run-actions";

export const runActionOperation = defineOperation({
  name: "run_action",
  title: "Run action",
  description:
    "Starts a run of an action and returns it at once. A tool call waits up to wait_seconds for the run. " +
    "input must match the action's inputSchema.",
  scope: "actions:run",
  role: "editor",
  rest: {
    method: "POST",
    path: "/actions/:slug/run",
    status: 202,
    answers: {
      tag: "Actions",
      successes: {
        202:
          "The run before it executes: accepted, or waiting_for_approval if the action requires approval. A dry run already has the status succeeded. " +
          "A repeated Idempotency-Key returns the first answer again.",
      },
      errors: [
        "INPUT_VALIDATION_FAILED",
        "QUOTA_EXCEEDED",
        "ACTION_UNAVAILABLE",
        "IDEMPOTENCY_IN_PROGRESS",
        "IDEMPOTENCY_KEY_REUSED",
      ],
      headers: ["idempotency-key", "traceparent"],
    },
    assertTarget: assertRunnable,
  },
  mcp: { readOnly: false, destructive: true, openWorld: true, sets: ["run", "build"] },
  input: z.object({ slug: slugInput, ...callFields }),
  output: runSchema,
  run: async (caller, input, context) => {
    requireVisible(caller, input.slug);
    const { run, isReplayed } = await runAction({
      ...readCaller(caller, input.slug, context),
      ...readCall({
        ...input,
        correlation_id: input.correlation_id ?? context.correlationId,
        idempotency_key: input.idempotency_key ?? context.idempotencyKey,
      }),
    });
    context.answerHeaders = {
      "x-correlation-id": run.correlation_id,
      ...(isReplayed ? { "idempotent-replayed": "true" } : {}),
    };
    return run;
  },
});
