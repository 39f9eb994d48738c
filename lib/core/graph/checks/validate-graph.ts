import type { Definition } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import type { GraphProblem } from "#lib/contract/workflow";
import { checkEdges } from "#lib/core/graph/checks/check-edges";
import { checkEntry } from "#lib/core/graph/checks/check-entry";
import { checkLoops } from "#lib/core/graph/checks/check-loops";
import { checkNodeData } from "#lib/core/graph/checks/check-node-data";
import { checkNodes } from "#lib/core/graph/checks/check-nodes";
import { checkPaths, upstreamOfAll } from "#lib/core/graph/checks/check-paths";
import { checkReferences } from "#lib/core/graph/checks/check-references";
import { checkReturnTypes } from "#lib/core/graph/checks/check-return-types";
import { createGraphMemory, recall } from "#lib/core/graph/checks/graph-memory";
import { checkMasks } from "#lib/core/graph/checks/typed-secrets";
import { indexGraph } from "#lib/core/graph/edges";
import { exceedsJsonDepth } from "#lib/support/json";

/**
 * Limits the number of problems: a person cannot act on more at once, and the answer to a hostile definition could
 * otherwise have many megabytes.
 */
export const MAX_PROBLEMS = 200;

/**
 * Lists everything that prevents a definition from being published, each problem with its node and field. An empty list
 * means publishable. Problems of the whole workflow come first, then those of the structure, then those of fields.
 * @param memory of earlier checks, if the same definition is checked repeatedly while it changes
 */
export function validateGraph(definition: Definition, memory = createGraphMemory()): GraphProblem[] {
  const { nodes, edges } = definition;
  if (nodes.length > LIMITS.graphNodes || edges.length > LIMITS.graphEdges) {
    const message = `A workflow can have at most ${LIMITS.graphNodes} nodes and ${LIMITS.graphEdges} edges.`;
    return [{ code: "GRAPH_TOO_LARGE", message }];
  }
  if (exceedsJsonDepth(definition, LIMITS.jsonDepth)) {
    return [{ code: "GRAPH_TOO_DEEP", message: `The definition is nested deeper than ${LIMITS.jsonDepth} levels.` }];
  }
  const index = indexGraph(definition, memory.index);
  memory.index = index;
  const upstream = recall(memory.upstream, index.incoming, () => upstreamOfAll(index));
  return [
    ...checkEntry(index),
    ...checkNodes(index),
    ...checkLoops(index),
    ...checkEdges(index),
    ...checkPaths(index, upstream),
    ...checkNodeData(index, memory),
    ...checkReturnTypes(index),
    ...checkReferences(index, upstream, memory),
    ...checkMasks(definition),
  ].slice(0, MAX_PROBLEMS);
}
