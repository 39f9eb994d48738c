import { z } from "zod";
import { StepError } from "#lib/contract/run/step-error";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { FAILED_HANDLE } from "#lib/core/engine/choose-path";
import type { ExecutionPlan, NodeHandlers, PlanEdge, PlanNode } from "#lib/core/engine/plan";
import { work } from "#lib/core/engine/work-settings";
import { parseGiven } from "#lib/support/leave-out-nulls";

/** Settings that the data of every node can contain (decisions, The graph document). */
const settings = z.object({
  name: z.string().optional(),
  ...work,
});

type OpenNode = PlanNode & { outgoing: PlanEdge[]; body: OpenNode[] };

/**
 * Prepares a definition for execution. Published definitions have passed validateGraph, but drafts in a test run may
 * not have, so definitions that cannot run are refused here as well.
 * @throws StepError VALIDATION_ERROR naming the node
 */
export function compilePlan(definition: Definition, handlers: NodeHandlers): ExecutionPlan {
  const nodes = new Map<string, OpenNode>(definition.nodes.map((node) => [node.id, openNode(node, handlers)]));
  const frames = new Map(definition.nodes.map((node) => [node.id, node.parentId]));
  const roots: OpenNode[] = [];
  for (const [id, node] of nodes) bodyOf(nodes, frames.get(id), roots).push(node);
  for (const edge of definition.edges) {
    const source = nodes.get(edge.source);
    const target = nodes.get(edge.target);
    if (!source || !target)
      throw new StepError("VALIDATION_ERROR", `One end of the edge ${edge.id} is a node that does not exist`);
    if (frames.get(edge.source) !== frames.get(edge.target)) {
      throw new StepError("VALIDATION_ERROR", `The edge ${edge.id} leads into or out of a loop`);
    }
    const sourceHandle = edge.sourceHandle ?? source.prepared.namelessHandle;
    source.outgoing.push({ edge: { ...edge, sourceHandle }, target });
    if (sourceHandle === FAILED_HANDLE && source.prepared.hasFailedBranch) source.takesFailedBranch = true;
    target.incoming += 1;
  }
  assertAcyclic([...nodes.values()]);
  assertNested([...nodes.keys()], frames);
  for (const node of roots) findCatchers(node, null);
  const prepared = [...nodes.values()].map((node) => node.prepared);
  return {
    nodes: roots,
    mayWait: prepared.some((node) => "look" in node),
    hasAddresses: prepared.some((node) => node.hasAddress),
  };
}

/** Returns the list that a node belongs to: the body of its loop, or the top level of the workflow. */
function bodyOf(nodes: ReadonlyMap<string, OpenNode>, loopId: string | undefined, roots: OpenNode[]): OpenNode[] {
  if (loopId === undefined) return roots;
  const loop = nodes.get(loopId);
  if (!loop?.prepared.holdsBody) {
    throw new StepError("VALIDATION_ERROR", `${loopId} is not a loop, so it cannot contain steps`);
  }
  return loop.body;
}

/** Checks that no loop contains itself, because such a loop would never be reached. */
function assertNested(ids: readonly string[], frames: ReadonlyMap<string, string | undefined>): void {
  for (const id of ids) {
    let depth = 0;
    for (let above = frames.get(id); above !== undefined; above = frames.get(above)) {
      depth += 1;
      if (depth > ids.length) throw new StepError("VALIDATION_ERROR", `The loop ${id} contains itself`);
    }
  }
}

function openNode(node: GraphNode, handlers: NodeHandlers): OpenNode {
  const parsed = parseGiven(settings, node.data);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new StepError("VALIDATION_ERROR", `${node.id}.${issue?.path.join(".")}: ${issue?.message}`);
  }
  const { name, maxRetries, retryBackoff, retryWaitSeconds, continueOnFailure } = parsed.data;
  return {
    id: node.id,
    type: node.type,
    name: name || null,
    prepared: handlers[node.type](node),
    retries: { max: maxRetries, backoff: retryBackoff, waitMs: 1_000 * retryWaitSeconds },
    continueOnFailure,
    takesFailedBranch: false,
    caughtBy: null,
    incoming: 0,
    outgoing: [],
    body: [],
  };
}

/** Finds the loop that handles a failure inside it: the nearest one that continues after it. */
function findCatchers(node: OpenNode, outer: PlanNode | null): void {
  node.caughtBy = outer;
  const inner = node.takesFailedBranch || node.continueOnFailure ? node : outer;
  for (const inside of node.body) findCatchers(inside, inner);
}

/** Checks for cycles. A node on a cycle would wait for itself, and the run would end without it. */
function assertAcyclic(nodes: readonly PlanNode[]): void {
  const waiting = new Map(nodes.map((node) => [node, node.incoming]));
  const free = nodes.filter((node) => node.incoming === 0);
  for (const node of free) {
    waiting.delete(node);
    for (const { target } of node.outgoing) {
      const left = (waiting.get(target) ?? 0) - 1;
      waiting.set(target, left);
      if (left === 0) free.push(target);
    }
  }
  const [stuck] = waiting.keys();
  if (stuck) throw new StepError("VALIDATION_ERROR", `The node ${stuck.id} waits for itself: its edges form a cycle`);
}
