import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import type { TemplateText } from "#lib/core/graph/checks/list-templates";
import type { GraphIndex } from "#lib/core/graph/edges";
import type { Template } from "#lib/support/scan-template";

/** A template of a node, taken apart. */
export type ReadTemplate = Omit<TemplateText, "text"> & Template;

/**
 * What the check of a definition leaves for the next one's, which while somebody types differs in a single node. Only for
 * definitions that are never changed in place: a node that is the same object says what it said before.
 */
export interface GraphMemory {
  /** The index made last. */
  index: GraphIndex | null;
  /** What each node can see, by the lines that it follows from. */
  upstream: WeakMap<GraphIndex["incoming"], ReadonlyMap<string, Set<string>>>;
  dataProblems: WeakMap<GraphNode, readonly GraphProblem[]>;
  templates: WeakMap<GraphNode, readonly ReadTemplate[]>;
}

export function createGraphMemory(): GraphMemory {
  return { index: null, upstream: new WeakMap(), dataProblems: new WeakMap(), templates: new WeakMap() };
}

/** What is remembered of a key; found out and remembered when it is nothing yet. */
export function recall<K extends object, V>(known: WeakMap<K, V>, key: K, find: (key: K) => V): V {
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = find(key);
  known.set(key, found);
  return found;
}
