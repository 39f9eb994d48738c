import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import type { Template } from "#lib/core/expressions/scan-template";
import type { TemplateText } from "#lib/core/graph/checks/list-templates";
import type { GraphIndex } from "#lib/core/graph/edges";

/** A parsed template of a node. */
export type ReadTemplate = Omit<TemplateText, "text"> & Template;

/**
 * What the check of a definition keeps for the next check. While someone types, the next definition differs in a single
 * node. Requires that definitions are never changed in place: the same node object must always have the same content.
 */
export interface GraphMemory {
  /** The most recent index. */
  index: GraphIndex | null;
  /** The nodes that each node can see, by the edge map of the index. */
  upstream: WeakMap<GraphIndex["incoming"], ReadonlyMap<string, Set<string>>>;
  dataProblems: WeakMap<GraphNode, readonly GraphProblem[]>;
  templates: WeakMap<GraphNode, readonly ReadTemplate[]>;
}

export function createGraphMemory(): GraphMemory {
  return { index: null, upstream: new WeakMap(), dataProblems: new WeakMap(), templates: new WeakMap() };
}

/** Returns the remembered value of a key; computes and remembers it if there is none yet. */
export function recall<K extends object, V>(known: WeakMap<K, V>, key: K, find: (key: K) => V): V {
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = find(key);
  known.set(key, found);
  return found;
}
