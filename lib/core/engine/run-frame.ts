import { isTaken, type Settled } from "#lib/core/engine/choose-path";
import { countOutput } from "#lib/core/engine/count-payload";
import type { PlanNode, TemplateValues } from "#lib/core/engine/plan";
import { settledBefore } from "#lib/core/engine/resume";
import { runLoop } from "#lib/core/engine/run-loop";
import { failRun, PIPELINE_TIMEOUT, type RunState, remainingMs } from "#lib/core/engine/run-state";
import { runStep } from "#lib/core/engine/run-step";
import { whileBusy } from "#lib/core/engine/run-waits";
import { stepKey } from "#lib/core/engine/step-key";

/** Where a pass over nodes stands: in which iteration, and what its templates may name. */
export interface FramePlace {
  /** "" for the workflow itself. */
  iteration: string;
  scope: TemplateValues;
}

/** One pass over a set of nodes: the whole workflow, or a loop's body in one iteration. */
interface Frame extends FramePlace {
  run: RunState;
  /** Edges into a node that nobody has decided yet. */
  undecided: Map<PlanNode, number>;
  /** Nodes with an edge into them that was taken. */
  reached: Set<PlanNode>;
  /** Nodes that are not settled. */
  open: number;
}

/** Without a prototype: `__proto__` is a name like any other. */
export function newScope(outer: TemplateValues = {}): TemplateValues {
  return Object.assign(Object.create(null) as TemplateValues, outer);
}

/**
 * Runs nodes in the order of their edges (decisions, The graph document: a node runs when every edge into it is decided
 * and at least one was taken). The workflow begins at its entry, a loop's body at every node without an edge into it.
 * @returns whether every node was settled; if not, the run ends, or stops here for now
 */
export async function runFrame(run: RunState, nodes: readonly PlanNode[], place: FramePlace): Promise<boolean> {
  const first = nodes.filter((node) => node.incoming === 0);
  const reached = new Set(place.iteration === "" ? first.filter((node) => node.prepared.isEntry) : first);
  const undecided = new Map(nodes.map((node) => [node, node.incoming]));
  const frame: Frame = { ...place, run, undecided, reached, open: nodes.length };
  await Promise.all(first.map((node) => visit(frame, node)));
  return frame.open === 0;
}

/** Settles a node whose incoming edges are all decided, then the nodes this was the last edge for. */
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

/** @returns null when the run ends, or stops for now, before the node is settled */
async function settle(frame: Frame, node: PlanNode): Promise<Settled | null> {
  const { run, iteration, scope } = frame;
  const { prepared } = node;
  const before = run.request.progress.get(stepKey(node.id, iteration));
  if (before?.kind === "done") {
    countOutput(run, before.output);
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
  return whileBusy(run, runStep(run, { node, prepared, iteration, scope, begun }));
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
  // The entry node goes by its type as well, whatever its id.
  if (node.prepared.isEntry) frame.scope[node.type] = output;
  if (node.prepared.isResult && frame.iteration === "") frame.run.results.set(node, output);
}
