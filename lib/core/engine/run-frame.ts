import { isTaken, type Settled } from "#lib/core/engine/choose-path";
import { countEarlierOutput } from "#lib/core/engine/count-payload";
import type { PlanNode, TemplateValues } from "#lib/core/engine/plan";
import { settledBefore } from "#lib/core/engine/resume";
import { runLoop } from "#lib/core/engine/run-loop";
import { failRun, PIPELINE_TIMEOUT, type RunState, remainingMs } from "#lib/core/engine/run-state";
import { runStep } from "#lib/core/engine/run-step";
import { whileBusy } from "#lib/core/engine/run-waits";
import { stepKey } from "#lib/core/engine/step-key";

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
}

/** Creates an object without a prototype, so that `__proto__` is a name like any other. */
export function newScope(outer: TemplateValues = {}): TemplateValues {
  return Object.assign(Object.create(null) as TemplateValues, outer);
}

/**
 * Runs nodes in the order of their edges (decisions, The graph document: a node runs when every edge into it is decided
 * and at least one was taken). The workflow starts at its entry, a loop's body at every node without an incoming edge.
 * @returns whether every node was settled; if not, the run ends or stops here for now
 */
export async function runFrame(run: RunState, nodes: readonly PlanNode[], place: FramePlace): Promise<boolean> {
  const first = nodes.filter((node) => node.incoming === 0);
  const reached = new Set(place.iteration === "" ? first.filter((node) => node.prepared.isEntry) : first);
  const undecided = new Map(nodes.map((node) => [node, node.incoming]));
  const frame: Frame = { ...place, run, undecided, reached, open: nodes.length };
  await Promise.all(first.map((node) => visit(frame, node)));
  return frame.open === 0;
}

/** Settles a node whose incoming edges are all decided, then every target for which this was the last open edge. */
async function visit(frame: Frame, node: PlanNode): Promise<void> {
  const settled = await settle(frame, node);
  if (!settled) return;
  frame.open -= 1;
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

/** @returns null if the run ends, or stops for now, before the node is settled */
async function settle(frame: Frame, node: PlanNode): Promise<Settled | null> {
  const { run, iteration, scope } = frame;
  const { prepared } = node;
  const before = run.request.progress.get(stepKey(node.id, iteration));
  if (before?.kind === "done") {
    countEarlierOutput(run, before.output);
    return settledBefore(before, prepared.chosenHandle);
  }
  if (!mayBegin(run, node)) return null;
  if (!frame.reached.has(node)) {
    const { journal, clock } = run.ports;
    journal.append({ kind: "step_skipped", nodeId: node.id, iteration, attempt: 1, at: clock.now() });
    return { kind: "skipped" };
  }
  const begun = before?.kind === "begun" ? before : null;
  if ("concurrency" in prepared) return runLoop({ run, node, prepared, iteration, scope, begun, runFrame });
  return whileBusy(run, () => runStep(run, { node, prepared, iteration, scope, begun }));
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

function keepOutput(frame: Frame, node: PlanNode, output: unknown): void {
  frame.scope[node.id] = output;
  // Expressions can also refer to the entry node by its type, whatever its id is.
  if (node.prepared.isEntry) frame.scope[node.type] = output;
  if (node.prepared.isResult && frame.iteration === "") frame.run.results.set(node, output);
}
