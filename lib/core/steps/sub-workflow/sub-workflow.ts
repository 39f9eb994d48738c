import type { StepErrorReason } from "#lib/contract/error-reasons";
import type { GraphNode } from "#lib/contract/graph";
import type { JsonObject } from "#lib/contract/json-schema";
import { isSuccess, type RunError } from "#lib/contract/run";
import { type StepErrorCode, stepErrorKind } from "#lib/contract/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { PreparedWait } from "#lib/core/engine/plan";
import type { SubRun } from "#lib/core/engine/ports";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { parseData } from "#lib/core/steps/parse-data";
import { subWorkflowKind } from "#lib/core/steps/sub-workflow/sub-workflow-kind";

interface SubWorkflowInput {
  action_slug: string;
  input: JsonObject;
}

/** Runs an action as a run of its own and waits for its end; its output is the run's (decisions, The graph document). */
export function prepareSubWorkflow(node: GraphNode): PreparedWait<SubWorkflowInput> {
  const { action_slug, input } = parseData(subWorkflowKind, node);
  return {
    resolveInput: (scope) => ({ action_slug, input: resolveTemplate(input, scope) as JsonObject }),
    look: async ({ action_slug: slug, input }, { runId, idempotencyKey, traceparent, services }) => {
      // One run per attempt that was answered; an attempt that was cut off finds the run it made.
      const step = idempotencyKey.slice(runId.length + 1);
      const run = await services.subRuns.open({ step, slug, input, traceparent: traceparent() });
      if (!run.isEnded) return { kind: "wait", wait: { kind: "run", runId: run.runId } };
      if (!isSuccess(run.status)) throw failureOf(run, slug);
      return { kind: "here", output: run.output };
    },
  };
}

/** The sub-run's own reason where it says something about this step; a time-out there is none here. */
function failureOf({ runId, status, error }: SubRun, slug: string): AnsweredError {
  const cause = error ? `: ${error.code}, ${error.message}` : "";
  return new AnsweredError(kindOf(error), `The run ${runId} of ${slug} ended ${status}${cause}`);
}

function kindOf(error: RunError | null): StepErrorCode | StepErrorReason {
  const kind = error === null || error.code === "TIMEOUT" ? null : stepErrorKind(error);
  return kind ?? "UPSTREAM_ERROR";
}
