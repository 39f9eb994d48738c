import { z } from "zod";
import { canReadSecrets, visibleActions } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { runGraphSchema, stepDetailSchema } from "#lib/contract/run/run-view-schema";
import { maskDefinition } from "#lib/core/graph/checks/typed-secrets";
import { getRunGraph } from "#lib/domain/runs/read/get-run-graph";
import { getRunStep } from "#lib/domain/runs/read/get-run-step";

export const getRunStepOperation = defineOperation({
  name: "get_run_step",
  title: "Get run step",
  description: "Returns the payloads and journal entries of one step of a run.",
  scope: "web",
  role: "viewer",
  input: z.object({
    run_id: z.string().max(64),
    step_id: z.string().max(64),
    occurrence: z.int().nonnegative().default(0),
  }),
  output: stepDetailSchema,
  run: (caller, { run_id: runId, step_id: stepId, occurrence }) =>
    getRunStep({
      workspaceId: caller.workspaceId,
      runId,
      stepId,
      occurrence,
      actionSlugs: visibleActions(caller),
    }),
});

export const getRunGraphOperation = defineOperation({
  name: "get_run_graph",
  title: "Get run graph",
  description: "Returns the graph that a run executed and the branches it took.",
  scope: "web",
  role: "viewer",
  input: z.object({ run_id: z.string().max(64) }),
  output: runGraphSchema,
  run: async (caller, { run_id: runId }) => {
    const reference = { workspaceId: caller.workspaceId, runId, actionSlugs: visibleActions(caller) };
    const graph = await getRunGraph(reference);
    return canReadSecrets(caller) ? graph : { ...graph, definition: maskDefinition(graph.definition) };
  },
});
