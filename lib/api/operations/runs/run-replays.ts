import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { canReadSecrets, visibleActions } from "#lib/api/operations/define/caller";
import { defineCreation } from "#lib/api/operations/define/define-creation";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { replayRunInput } from "#lib/contract/run/run-inputs";
import { runSchema } from "#lib/contract/run/run-schema";
import { replayPreviewSchema } from "#lib/contract/run/run-view-schema";
import { maskDefinition } from "#lib/core/graph/checks/typed-secrets";
import { previewReplay } from "#lib/domain/runs/create/preview-replay";
import { replayRun } from "#lib/domain/runs/create/replay-run";
import { runDraft } from "#lib/domain/runs/create/run-draft";

/** contract, Endpoints: replay has no REST path. */
export const replayRunOperation = defineCreation({
  name: "replay_run",
  title: "Replay run",
  description:
    "Starts a new run from one that has ended. resume keeps the finished steps and runs the rest, from_start runs " +
    "everything again, from_step runs step_id and all steps after it again. version latest runs the published version: " +
    "finished steps that did not change, and approvals given in them, are kept.",
  scope: ["runs:read", "actions:run"],
  role: "editor",
  mcp: { readOnly: false, destructive: true, openWorld: true, sets: ["build"] },
  input: replayRunInput,
  output: runSchema,
  run: async (caller, { run_id: runId, mode, step_id: stepId, version, input }, context, keep) => {
    const run = await replayRun({
      workspaceId: caller.workspaceId,
      plan: caller.plan,
      runId,
      actionSlugs: visibleActions(caller),
      mode,
      stepId,
      version,
      input,
      actor: actorOf(caller),
      userId: caller.userId,
      ...(caller.kind === "api_key" ? { apiKeyId: caller.keyId } : {}),
      traceparent: context.traceparent,
      keep,
    });
    context.answerHeaders = { "x-correlation-id": run.correlation_id };
    return run;
  },
});

export const previewReplayOperation = defineOperation({
  name: "preview_replay",
  title: "Preview replay",
  description:
    "Returns what a replay on the published version would keep, and whether the input of the run still fits.",
  scope: "web",
  role: "editor",
  input: z.object({ run_id: z.string().max(64) }),
  output: replayPreviewSchema,
  run: async (caller, { run_id: runId }) => {
    const reference = { workspaceId: caller.workspaceId, runId, actionSlugs: visibleActions(caller) };
    const preview = await previewReplay(reference);
    return canReadSecrets(caller) ? preview : { ...preview, definition: maskDefinition(preview.definition) };
  },
});

export const testWorkflowOperation = defineCreation({
  name: "test_workflow",
  title: "Test workflow",
  description:
    "Runs the saved draft, without publishing it, and returns the outcome. Its calls to services are real, except in pinned steps. `input` is what a caller sends, or the event of the trigger: {body} for a webhook.",
  scope: ["workflows:write", "actions:run", "runs:read"],
  role: "editor",
  mcp: { readOnly: false, destructive: true, openWorld: true, sets: ["build"] },
  input: z.object({
    workflow_id: z.uuid(),
    input: z.record(z.string(), z.unknown()).default({}),
    pinned: z.record(z.string(), z.unknown()).default({}),
    until_step: z.string().max(64).optional(),
    expected_revision: z.int().positive().optional(),
    from_run_id: z.uuid().optional(),
    pinned_from: z.record(z.string(), z.uuid()).optional(),
  }),
  output: runSchema,
  run: (caller, input, _context, keep) =>
    runDraft({
      workspaceId: caller.workspaceId,
      plan: caller.plan,
      userId: caller.userId,
      workflowId: input.workflow_id,
      input: input.input,
      pinned: input.pinned,
      untilStep: input.until_step,
      expectedRevision: input.expected_revision,
      fromRunId: input.from_run_id,
      pinnedFrom: input.pinned_from,
      keep,
    }),
});
