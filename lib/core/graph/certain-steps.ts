import type { GraphEdge } from "#lib/contract/workflow/graph";
import { FAILED_HANDLE } from "#lib/core/engine/choose-path";
import type { GraphIndex } from "#lib/core/graph/edges";
import { hasFailedBranch } from "#lib/core/steps/define-step-kind";
import { isBypass, isDisabled } from "#lib/core/steps/is-disabled";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** Answers which steps have certainly completed when another one runs. Each set is derived at most once. */
export interface CertainSteps {
  /** True if the step `id` has an output whenever the step `atId` runs. */
  isCertain: (atId: string, id: string) => boolean;
  /** True if the step `id` has failed whenever the step `atId` runs. */
  isCertainlyFailed: (atId: string, id: string) => boolean;
  /** True if the step `id` has an output at the end of every iteration of the loop that contains it. */
  isCertainInBody: (id: string) => boolean;
}

export function createCertainSteps(index: GraphIndex): CertainSteps {
  const before = new Map<string, Completed>();
  const starters = new Map<string, ReadonlySet<string>>();
  const completedAt = (id: string) => recall(before, id, NEVER, () => completedBefore(index, id, completedAt));
  const startersOf = (id: string) => recall(starters, id, NONE, () => findStarters(index, id));
  return {
    isCertain: (atId, id) => {
      const completed = completedAt(atId);
      if (completed === NEVER || completed.has(id)) return true;
      return [...startersOf(id)].some((starter) => completed.has(starter));
    },
    isCertainlyFailed: (atId, id) => {
      const completed = completedAt(atId);
      return completed === NEVER || completed.has(failed(id));
    },
    isCertainInBody: (id) => [...startersOf(id)].some((starter) => (index.incoming.get(starter) ?? []).length === 0),
  };
}

/** The steps that have completed, and as `failed` those that have failed, when a step runs; null if it never runs. */
type Completed = ReadonlySet<string> | null;
const NEVER = null;
/** An id has no such character (decisions, The graph document). */
const failed = (id: string) => `!${id}`;
const NONE: ReadonlySet<string> = new Set();

/** @param meanwhile the value while another one is derived: in a draft, edges can form a cycle */
function recall<V>(known: Map<string, V>, id: string, meanwhile: V, derive: () => V): V {
  const found = known.get(id);
  if (found !== undefined) return found;
  known.set(id, meanwhile);
  const value = derive();
  known.set(id, value);
  return value;
}

/**
 * A step runs when one of its edges was taken, so what completed before the sources of all its edges has completed. Steps
 * without an edge start the workflow or the body of their loop.
 */
function completedBefore(index: GraphIndex, id: string, completedAt: (id: string) => Completed): Completed {
  const edges = index.incoming.get(id) ?? [];
  const parentId = index.nodes.get(id)?.parentId;
  if (edges.length === 0) {
    if (parentId === undefined) return index.entry?.id === id ? NONE : NEVER;
    const completed = completedAt(parentId);
    return completed === NEVER ? NEVER : new Set([...completed, parentId]);
  }
  let common: Completed = NEVER;
  for (const edge of edges) {
    const completed = completedAt(edge.source);
    const source = index.nodes.get(edge.source);
    const isOff = source !== undefined && isDisabled(source);
    if (completed === NEVER || (isOff && !isBypass(source, edge))) continue;
    const through = new Set(completed);
    if (!isOff) through.add(isFailed(index, edge) ? failed(edge.source) : edge.source);
    common = common === NEVER ? through : intersect(common, through);
  }
  return common;
}

function intersect(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(Array.from(a).filter((one) => b.has(one)));
}

/** A case of a Switch can have the same name. */
function isFailed({ nodes }: GraphIndex, { source, sourceHandle }: GraphEdge): boolean {
  const node = nodes.get(source);
  return sourceHandle === FAILED_HANDLE && node !== undefined && hasFailedBranch(STEP_KINDS[node.type], node.data);
}

/** Lists the steps whose completion certainly makes this one run, with itself. */
function findStarters(index: GraphIndex, id: string): ReadonlySet<string> {
  const node = index.nodes.get(id);
  if (node !== undefined && isDisabled(node)) return NONE;
  const found = new Set(canFailQuietly(index, id) ? [] : [id]);
  // Iterating a Set includes entries added during the iteration.
  for (const one of found) {
    for (const edge of index.incoming.get(one) ?? []) {
      if (isAlwaysTaken(index, edge) && !canFailQuietly(index, edge.source)) found.add(edge.source);
    }
  }
  return found;
}

/** An edge without a handle is taken whenever its source completed; a disabled source takes its first branch. */
function isAlwaysTaken({ nodes }: GraphIndex, edge: GraphEdge): boolean {
  const source = nodes.get(edge.source);
  if (source === undefined) return false;
  if (isDisabled(source)) return isBypass(source, edge);
  return edge.sourceHandle == null && STEP_KINDS[source.type].namelessHandle === undefined;
}

/** A step with a failed branch can end without an output, and the run continues. */
function canFailQuietly(index: GraphIndex, id: string): boolean {
  return (index.outgoing.get(id) ?? []).some((edge) => isFailed(index, edge));
}
