import { isTaken, type Settled } from "#lib/core/engine/choose-path";
import { countEarlierOutput } from "#lib/core/engine/count-payload";
import type { StepEnding } from "#lib/core/engine/end-step";
import type { PlanNode, TemplateValues } from "#lib/core/engine/plan";
import { type FrameFailure, findEarlierFailure, settledBefore } from "#lib/core/engine/resume";
import { runLoop } from "#lib/core/engine/run-loop";
import { failRun, isHeld, PIPELINE_TIMEOUT, type RunState, remainingMs } from "#lib/core/engine/run-state";
import { runStep } from "#lib/core/engine/run-step";
import { whileBusy } from "#lib/core/engine/run-waits";
import { stepKey } from "#lib/core/engine/step-key";
import { FailedStep } from "#lib/core/expressions/failed-step";

/** The position of a pass over nodes: its iteration, and the values that its templates can refer to. */
export interface FramePlace {
  /** "" for the workflow itself. */
  iteration: string;
  scope: TemplateValues;
}

/** One pass over a set of nodes: the whole workflow, or a loop's body in one iteration. */
interface Frame extends FramePlace {
  run: RunState;
  /** The number of undecided edges into each node. */
  undecided: Map<PlanNode, number>;
  /** Nodes with at least one taken edge into them. */
  reached: Set<PlanNode>;
  /** The number of nodes that are not settled. */
  open: number;
  /** The first step that failed here, if the loop around it continues. Nothing new starts; steps in flight end. */
  failure: FrameFailure | null;
}

/** `open`: the run ends, or stops here for now. */
export type FrameEnd = { kind: "done" } | { kind: "open" } | ({ kind: "failed" } & FrameFailure);

/** Creates an object without a prototype, so that `__proto__` is a name like any other. */
export function newScope(outer: TemplateValues = {}): TemplateValues {
  return Object.assign(Object.create(null) as TemplateValues, outer);
}

/**
 * Runs nodes in the order of their edges (decisions, The graph document: a node runs when every edge into it is decided
 * and at least one was taken). The workflow starts at its entry, a loop's body at every node without an incoming edge.
 */
export async function runFrame(run: RunState, nodes: readonly PlanNode[], place: FramePlace): Promise<FrameEnd> {
  const first = nodes.filter((node) => node.incoming === 0);
  const reached = new Set(place.iteration === "" ? first.filter((node) => node.prepared.isEntry) : first);
  const undecided = new Map(nodes.map((node) => [node, node.incoming]));
  const failure = findEarlierFailure(run, nodes, place.iteration);
  const frame: Frame = { ...place, run, undecided, reached, open: nodes.length, failure };
  offerAddresses(run, nodes, place);
  await Promise.all(first.map((node) => visit(frame, node)));
  if (frame.open === 0) return { kind: "done" };
  return frame.failure && !isHeld(run) ? { kind: "failed", ...frame.failure } : { kind: "open" };
}

/** Settles a node whose incoming edges are all decided, then every target for which this was the last open edge. */
async function visit(frame: Frame, node: PlanNode): Promise<void> {
  const settled = await settle(frame, node);
  if (!settled) return;
  if (settled.kind === "caught") {
    frame.failure ??= { node, error: settled.error };
    return;
  }
  frame.open -= 1;
  if (settled.kind === "passed") keepOutput(frame, node, settled.output);
  if (settled.kind === "failed") frame.scope[node.id] = new FailedStep(settled.error);
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

/** @returns null if the run ends, or stops for now, before the node is settled */
async function settle(frame: Frame, node: PlanNode): Promise<StepEnding> {
  const { run, iteration, scope } = frame;
  const { prepared } = node;
  const before = run.request.progress.get(stepKey(node.id, iteration));
  if (before?.kind === "done") {
    countEarlierOutput(run, before.output);
    return frame.reached.has(node) && before.how === "skipped" ? bypass(node) : settledBefore(before, node);
  }
  const begun = before?.kind === "begun" ? before : null;
  if ((frame.failure && !begun) || !mayBegin(run, node)) return null;
  if (!frame.reached.has(node) || prepared.bypassHandle !== undefined) return skip(frame, node);
  if ("concurrency" in prepared) return runLoop({ run, node, prepared, iteration, scope, begun, runFrame });
  return whileBusy(run, () => runStep(run, { node, prepared, iteration, scope, begun }));
}

/** Skips a step whose path was not taken, and one that is disabled. The run continues behind a disabled one. */
function skip({ run, iteration, reached }: Frame, node: PlanNode): Settled {
  const { journal, clock } = run.ports;
  const isReached = reached.has(node);
  const event = { nodeId: node.id, iteration, attempt: 1, at: clock.now() };
  journal.append({ ...event, kind: "step_skipped", ...(isReached ? { skipReason: "disabled" } : {}) });
  return isReached ? bypass(node) : { kind: "skipped" };
}

function bypass({ prepared: { bypassHandle } }: PlanNode): Settled {
  return bypassHandle === undefined ? { kind: "skipped" } : { kind: "bypassed", handle: bypassHandle };
}

function mayBegin(run: RunState, node: PlanNode): boolean {
  run.request.signal.throwIfAborted();
  if (run.failure || run.isInterrupted) return false;
  if (remainingMs(run) <= 0) {
    failRun(run, "timed_out", PIPELINE_TIMEOUT);
    return false;
  }
  const { prepared } = node;
  const isLong = prepared.hasSideEffects || ("hasTimeLimit" in prepared && prepared.hasTimeLimit);
  if (isLong && run.request.stopping.aborted) {
    run.isInterrupted = true;
    return false;
  }
  return true;
}

/** Earlier and parallel steps pass the addresses on, so they can be read from the start. */
function offerAddresses(run: RunState, nodes: readonly PlanNode[], { iteration, scope }: FramePlace): void {
  if (!run.request.plan.hasAddresses) return;
  for (const { id, prepared } of nodes) {
    if (prepared.hasAddress) scope[id] = { callback_url: run.ports.services.callbacks.urlOf(id, iteration) };
  }
}

function keepOutput(frame: Frame, node: PlanNode, output: unknown): void {
  frame.scope[node.id] = node.prepared.hasAddress ? Object.assign({}, frame.scope[node.id], output) : output;
  // Expressions can also refer to the entry node by its type, whatever its id is.
  if (node.prepared.isEntry) frame.scope[node.type] = output;
  if (node.prepared.isResult && frame.iteration === "") frame.run.results.set(node, output);
}
