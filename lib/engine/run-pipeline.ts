import type { JsonObject } from "#lib/contract/json-schema";
import { isTaken, type Settled } from "#lib/engine/choose-path";
import { countOutput, isRunOutputTooLarge } from "#lib/engine/count-payload";
import type { PlanNode, Scope } from "#lib/engine/plan";
import type { RunPorts } from "#lib/engine/ports";
import { settledBefore } from "#lib/engine/resume";
import {
  beginRun,
  failRun,
  PIPELINE_TIMEOUT,
  type PipelineRequest,
  type RunFailure,
  type RunState,
  remainingMs,
} from "#lib/engine/run-state";
import { runStep } from "#lib/engine/run-step";
import { stepKey } from "#lib/engine/step-key";

/** How the execution of a run ended. `interrupted`: the worker stops, the journal holds all that was done. */
export type RunOutcome = { status: "succeeded"; output: JsonObject | null } | RunFailure | { status: "interrupted" };

/** One pass over a set of nodes: the whole graph, or (one day) a loop's body in one iteration. */
interface Frame {
  run: RunState;
  iteration: string;
  scope: Scope;
  /** Edges into a node that nobody has decided yet. */
  undecided: Map<PlanNode, number>;
  /** Nodes with an edge into them that was taken. */
  reached: Set<PlanNode>;
}

/**
 * Executes a run from where its journal ends (decisions, The graph document: a node runs when every edge into it is
 * decided and at least one was taken). Branches run in parallel; nodes on paths not taken are skipped. The terminal
 * state is the caller's to write, together with the events still waiting in the journal.
 * @throws LeaseLost, or what a port throws: then nothing may be concluded about the run
 */
export async function runPipeline(request: PipelineRequest, ports: RunPorts): Promise<RunOutcome> {
  const run = beginRun(request, ports);
  failFromJournal(run);
  if (!run.failure) await runFrame(run, request.plan.nodes, "");
  request.signal.throwIfAborted();
  if (run.failure) return run.failure;
  if (run.isInterrupted) return { status: "interrupted" };
  return succeed(run);
}

/** A failure that was journalled when the worker died before it could end the run. */
function failFromJournal(run: RunState): void {
  for (const node of run.request.plan.nodes) {
    const before = run.request.progress.get(stepKey(node.id, ""));
    if (before?.kind === "failed") failRun(run, before.isTimeout ? "timed_out" : "failed", before.error, node);
  }
}

async function runFrame(run: RunState, nodes: readonly PlanNode[], iteration: string): Promise<void> {
  // Without a prototype: `__proto__` is a name like any other.
  const scope = Object.create(null) as Scope;
  const undecided = new Map(nodes.map((node) => [node, node.incoming]));
  const frame: Frame = { run, iteration, scope, undecided, reached: new Set(nodes.filter((node) => node.isEntry)) };
  await Promise.all(nodes.filter((node) => node.incoming === 0).map((node) => visit(frame, node)));
}

/** Settles a node whose incoming edges are all decided, then the nodes this was the last edge for. */
async function visit(frame: Frame, node: PlanNode): Promise<void> {
  const settled = await settle(frame, node);
  if (!settled) return;
  if (settled.kind === "passed") keepOutput(frame, node, settled.output);
  const ready: PlanNode[] = [];
  for (const { edge, target } of node.outgoing) {
    if (isTaken(edge, settled)) frame.reached.add(target);
    const left = (frame.undecided.get(target) ?? 1) - 1;
    frame.undecided.set(target, left);
    if (left === 0) ready.push(target);
  }
  if (ready.length === 1 && ready[0]) return visit(frame, ready[0]);
  await Promise.all(ready.map((next) => visit(frame, next)));
}

/** @returns null when the run ends before the node is settled */
async function settle(frame: Frame, node: PlanNode): Promise<Settled | null> {
  const { run, iteration } = frame;
  const before = run.request.progress.get(stepKey(node.id, iteration));
  if (before?.kind === "done") {
    countOutput(run, before.output);
    return settledBefore(before, node.prepared.chosenHandle);
  }
  if (!mayBegin(run, node)) return null;
  if (!frame.reached.has(node)) {
    run.ports.journal.append({
      kind: "step_skipped",
      nodeId: node.id,
      iteration,
      attempt: 1,
      at: run.ports.clock.now(),
    });
    return { kind: "skipped" };
  }
  return runStep(run, { node, iteration, scope: frame.scope, begun: before?.kind === "begun" ? before : null });
}

function mayBegin(run: RunState, node: PlanNode): boolean {
  run.request.signal.throwIfAborted();
  if (run.failure || run.isInterrupted) return false;
  if (remainingMs(run) <= 0) {
    failRun(run, "timed_out", PIPELINE_TIMEOUT);
    return false;
  }
  if (node.prepared.hasSideEffects && run.request.stopping.aborted) {
    run.isInterrupted = true;
    return false;
  }
  return true;
}

function keepOutput(frame: Frame, node: PlanNode, output: unknown): void {
  frame.scope[node.id] = output;
  // The entry node goes by its type as well, whatever its id.
  if (node.isEntry) frame.scope[node.type] = output;
  if (node.prepared.isResult) frame.run.results.set(node, output);
}

/**
 * Where several result nodes were reached, their outputs are merged in the order of the definition, later keys win:
 * the same answer whichever branch was faster. Where none was, there is no output.
 */
function succeed(run: RunState): RunOutcome {
  const reached = run.request.plan.nodes.filter((node) => run.results.has(node));
  if (reached.length === 0) return { status: "succeeded", output: null };
  const output = Object.assign({}, ...reached.map((node) => run.results.get(node))) as JsonObject;
  if (reached.length > 1 && isRunOutputTooLarge(output)) {
    const message = "The output of the run is larger than 1 MiB";
    return { status: "failed", error: { code: "VALIDATION_ERROR", message } };
  }
  return { status: "succeeded", output };
}
