import type { StepErrorReason } from "#lib/contract/error/error-reasons";
import { isSuccess, type RunError } from "#lib/contract/run/run";
import { type StepErrorCode, stepErrorKind } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { PreparedWait } from "#lib/core/engine/plan";
import type { SubRun } from "#lib/core/engine/ports";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateBudget } from "#lib/core/expressions/template-budget";
import { parseData } from "#lib/core/steps/parse-data";
import { subWorkflowData } from "#lib/core/steps/sub-workflow/sub-workflow-data";

interface SubWorkflowInput {
  action_slug: string;
  input: JsonObject;
}

/**
 * Starts a separate run of an action and waits for it to end. The output of that run is the step's output (decisions,
 * The graph document).
 */
export function prepareSubWorkflow(node: GraphNode): PreparedWait<SubWorkflowInput> {
  const { action_slug, input } = parseData(subWorkflowData, node);
  return {
    resolveInput: (scope, _runInput, unresolved) => ({
      action_slug,
      input: resolveTemplate(input, scope, templateBudget(unresolved), "input") as JsonObject,
    }),
    look: async ({ action_slug: slug, input }, { runId, idempotencyKey, traceparent, services }) => {
      // Creates one run per answered attempt. If an attempt is cut off, the next one finds the run that was already
      // created.
      const step = idempotencyKey.slice(runId.length + 1);
      const run = await services.subRuns.open({ step, slug, input, traceparent: traceparent() });
      if (!run.isEnded) return { kind: "wait", wait: { kind: "run", runId: run.runId } };
      if (!isSuccess(run.status)) throw failureOf(run, slug);
      return { kind: "here", output: run.output };
    },
  };
}

/** Of a longer path, the message names the first actions and the last one. */
const SHOWN_ACTIONS = 4;

/**
 * Uses the sub-run's own reason if it applies to this step. A timeout of the sub-run is not a timeout of this step. If a
 * sub-run of the sub-run failed, the message says where, and why once: each level would repeat the one below it.
 */
function failureOf({ runId, status, error, cause }: SubRun, slug: string): AnsweredError {
  const origin = cause?.error ?? error;
  const where = cause !== null && cause.path.length > 1 ? ` in ${pathWords(cause.path)}` : "";
  const why = origin ? `: ${origin.code}, ${origin.message}` : "";
  return new AnsweredError(kindOf(error), `Run ${runId} of ${slug} ended with status ${status}${where}${why}`);
}

function pathWords(path: readonly string[]): string {
  const left = path.length - SHOWN_ACTIONS - 1;
  const shown = left > 0 ? [...path.slice(0, SHOWN_ACTIONS), `… (${left} more)`, ...path.slice(-1)] : path;
  return shown.join(" → ");
}

function kindOf(error: RunError | null): StepErrorCode | StepErrorReason {
  const kind = error === null || error.code === "TIMEOUT" ? null : stepErrorKind(error);
  return kind ?? "UPSTREAM_ERROR";
}
