import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { type Caller, visibleActions } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import type { Decision } from "#lib/contract/approval/approval";
import { ApiError } from "#lib/contract/error/api-error";
import { approveRunInput } from "#lib/contract/run/run-inputs";
import { runSchema } from "#lib/contract/run/run-schema";
import { cancelRun } from "#lib/domain/runs/decide/cancel-run";
import { decideRun } from "#lib/domain/runs/decide/decide-run";
import { getRunRow } from "#lib/domain/runs/read/get-run";
import { db } from "#lib/platform/db/pool";

const runIdInput = z.string().describe("run_id of the run.");

const SYNONYMS = { approve: "approved", reject: "rejected" } as const;

/**
 * Checks that the run in the path exists, for a request whose body cannot be read.
 * @throws ApiError RUN_NOT_FOUND
 */
async function assertRun(caller: Caller, { run_id: runId = "" }: Record<string, string>): Promise<void> {
  await getRunRow(db(), referenceOf(caller, runId), "none");
}

function referenceOf(caller: Caller, runId: string) {
  return { workspaceId: caller.workspaceId, runId, actionSlugs: visibleActions(caller) };
}

export const approveRunOperation = defineOperation({
  name: "approve_run",
  title: "Approve or reject run",
  description:
    "Decides a run that is waiting_for_approval: approved lets it continue, rejected cancels it. Only the first decision counts.",
  scope: "approvals:decide",
  role: "approver",
  rest: {
    method: "POST",
    path: "/runs/:run_id/approve",
    answers: {
      tag: "Runs",
      successes: { 200: "The run after the decision, even if the same decision was made before." },
      errors: ["NOT_FOUND", "RUN_NOT_WAITING", "APPROVAL_EXPIRED"],
    },
    assertTarget: assertRun,
  },
  mcp: { readOnly: false, destructive: true, openWorld: true, sets: ["run"] },
  input: approveRunInput,
  output: runSchema,
  run: async (caller, input, context) => {
    const run = await decideRun({
      ...referenceOf(caller, input.run_id),
      decision: decisionOf(input),
      comment: input.comment || null,
      approvalId: input.approval_id ?? null,
      actor: actorOf(caller),
      userId: caller.userId,
    });
    context.answerHeaders = { "x-correlation-id": run.correlation_id };
    return run;
  },
});

type ApproveInput = z.output<typeof approveRunOperation.input>;

/**
 * Returns the decision of a request. An empty body approves (decisions, Approvals). A body with other fields but no
 * decision does not: unknown fields are ignored, but `{"decison": "rejected"}` must not approve.
 * @throws ApiError BAD_REQUEST
 */
function decisionOf({ run_id: _, decision, approved, comment: _c, approval_id: _a, ...rest }: ApproveInput): Decision {
  const said = decision === "approve" || decision === "reject" ? SYNONYMS[decision] : decision;
  const ticked = approved === undefined ? undefined : approved ? "approved" : "rejected";
  if (said && ticked && said !== ticked) {
    throw new ApiError("BAD_REQUEST", "approved: contradicts decision");
  }
  const [unknown] = Object.keys(rest);
  if (!said && !ticked && unknown !== undefined) {
    throw new ApiError(
      "BAD_REQUEST",
      `decision: must be approved or rejected; the field ${unknown.slice(0, 100)} is not a decision`,
    );
  }
  return said ?? ticked ?? "approved";
}

export const cancelRunOperation = defineOperation({
  name: "cancel_run",
  title: "Cancel run",
  description: "Cancels a run and its sub-runs at once. A run that has ended does not change.",
  scope: "actions:run",
  role: "editor",
  rest: {
    method: "POST",
    path: "/runs/:run_id/cancel",
    answers: {
      tag: "Runs",
      successes: {
        200: "The run, now cancelled, or unchanged if it had already ended.",
        202: "The run, now cancelled. A worker is still stopping the step in flight.",
      },
    },
    assertTarget: assertRun,
  },
  mcp: { readOnly: false, destructive: true, sets: ["run"] },
  input: z.object({ run_id: runIdInput }),
  output: runSchema,
  run: async (caller, { run_id }, context) => {
    const { run, wasRunning } = await cancelRun(referenceOf(caller, run_id), actorOf(caller));
    context.answerHeaders = { "x-correlation-id": run.correlation_id };
    context.answerStatus = wasRunning ? 202 : 200;
    return run;
  },
});
