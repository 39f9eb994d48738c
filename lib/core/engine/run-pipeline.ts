import type { RunWarning } from "#lib/contract/run/journal";
import { StepError } from "#lib/contract/run/step-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isRunOutputTooLarge } from "#lib/core/engine/count-payload";
import type { PlanNode } from "#lib/core/engine/plan";
import type { RunPorts } from "#lib/core/engine/ports";
import type { Progress, StepProgress } from "#lib/core/engine/resume";
import { newScope, runFrame } from "#lib/core/engine/run-frame";
import {
  beginRun,
  failRun,
  PIPELINE_TIMEOUT,
  type PipelineRequest,
  type RunFailure,
  type RunState,
} from "#lib/core/engine/run-state";
import { remainingWaits } from "#lib/core/engine/run-waits";
import { readStepKey } from "#lib/core/engine/step-key";
import type { Wait } from "#lib/core/engine/waits";

/**
 * How the execution of a run ended. `interrupted` means that the worker is stopping and the journal contains everything
 * that was done.
 */
export type RunOutcome =
  | ({ status: "succeeded"; output: JsonObject | null } & Warned)
  | (RunFailure & Warned)
  | { status: "interrupted"; journalBytes: number }
  /** The run can only continue when one of these waits is over. */
  | { status: "parked"; waits: Wait[]; journalBytes: number };

/** Set if paths of its templates did not resolve. */
interface Warned {
  warnings?: readonly RunWarning[];
}

/**
 * Executes a run from the point where its journal ends (decisions, The graph document: a node runs when every edge into
 * it is decided and at least one was taken). Branches run in parallel, and nodes on paths not taken are skipped. The
 * caller writes the terminal state together with the events that are still buffered in the journal.
 * @throws LeaseLost, or what a port throws; nothing may then be concluded about the run
 */
export async function runPipeline(request: PipelineRequest, ports: RunPorts): Promise<RunOutcome> {
  const run = beginRun(request, ports);
  failFromJournal(run);
  if (!run.failure) await runFrame(run, request.plan.nodes, { iteration: "", scope: newScope() });
  request.signal.throwIfAborted();
  if (run.failure) return { ...run.failure, ...warningsOf(run) };
  const { journalBytes } = run;
  if (run.isInterrupted) return { status: "interrupted", journalBytes };
  if (run.parking.parkedFor) return { status: "parked", waits: remainingWaits(run), journalBytes };
  return { ...succeed(run), ...warningsOf(run) };
}

function warningsOf({ warnings }: RunState): Warned {
  return warnings.length === 0 ? {} : { warnings };
}

/**
 * Finds a failure that was journaled before the worker died without ending the run. A loop fails because of a step
 * inside it, so that step is reported. A failure that a loop handles does not end the run, unless the run's time was up.
 */
function failFromJournal(run: RunState): void {
  const { plan, progress } = run.request;
  const failed: { node: PlanNode; iteration: string; before: FailedProgress }[] = [];
  const look = (nodes: readonly PlanNode[]) => {
    for (const node of nodes) {
      look(node.body);
      for (const { iteration, before } of failures.get(node.id) ?? []) {
        const isCaught = node.caughtBy !== null && before.error.reason !== PIPELINE_TIMEOUT.reason;
        if (!isCaught) failed.push({ node, iteration, before });
      }
    }
  };
  const failures = failuresByNode(progress);
  if (failures.size === 0) return;
  look(plan.nodes);
  const [first] = failed;
  if (first) failRun(run, first.before.isTimeout ? "timed_out" : "failed", first.before.error, first);
}

type FailedProgress = Extract<StepProgress, { kind: "failed" }>;

function failuresByNode(progress: Progress): Map<string, { iteration: string; before: FailedProgress }[]> {
  const failures = new Map<string, { iteration: string; before: FailedProgress }[]>();
  for (const [key, before] of progress) {
    if (before.kind !== "failed") continue;
    const { nodeId, iteration } = readStepKey(key);
    failures.set(nodeId, [...(failures.get(nodeId) ?? []), { iteration, before }]);
  }
  return failures;
}

/**
 * Merges the outputs of all result nodes that were reached, in the order of the definition; later keys win. The output
 * does not depend on which branch was faster. If no result node was reached, there is no output.
 */
function succeed(run: RunState): Exclude<RunOutcome, { journalBytes: number }> {
  const reached = run.request.plan.nodes.filter((node) => run.results.has(node));
  if (reached.length === 0) return { status: "succeeded", output: null };
  const output = Object.assign({}, ...reached.map((node) => run.results.get(node))) as JsonObject;
  if (reached.length > 1 && isRunOutputTooLarge(output)) {
    const message = "The output of the run is larger than 1 MiB";
    return { status: "failed", error: new StepError("data_too_large", message).toPayload() };
  }
  return { status: "succeeded", output };
}
