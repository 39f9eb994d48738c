import type { GraphEdge } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import type { GraphIndex } from "#lib/core/graph/edges";
import { handlesOf } from "#lib/core/steps/define-step-kind";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/** Every edge joins two different nodes of one scope, once, by a handle that its source has. */
export function checkEdges(index: GraphIndex): GraphProblem[] {
  const problems: GraphProblem[] = [];
  const ids = new Set<string>();
  const seen = new Set<string>();
  for (const edge of index.definition.edges) {
    if (ids.has(edge.id))
      problems.push(edgeProblem(edge, "DUPLICATE_EDGE_ID", `the edge id "${edge.id}" is used twice`));
    ids.add(edge.id);
    const key = JSON.stringify([edge.source, edge.target, edge.sourceHandle ?? null]);
    if (seen.has(key)) problems.push(edgeProblem(edge, "DUPLICATE_EDGE", "the same edge is drawn twice"));
    seen.add(key);
    problems.push(...checkEnds(index, edge));
  }
  return problems;
}

function checkEnds(index: GraphIndex, edge: GraphEdge): GraphProblem[] {
  const source = index.nodes.get(edge.source);
  const target = index.nodes.get(edge.target);
  if (!source || !target) {
    const missing = source ? edge.target : edge.source;
    return [edgeProblem(edge, "UNKNOWN_EDGE_END", `there is no node "${missing}" at one end of the edge`)];
  }
  const problems: GraphProblem[] = [];
  if (source === target) {
    problems.push(edgeProblem(edge, "SELF_LOOP", `${nodeLabel(source)}: an edge cannot lead back to its own node`));
  }
  if (source.parentId !== target.parentId) {
    problems.push(edgeProblem(edge, "EDGE_CROSSES_LOOP", "an edge cannot lead into a loop or out of it"));
  }
  const handle = edge.sourceHandle ?? null;
  const handles = handlesOf(STEP_KINDS[source.type], source.data);
  if (handle !== null && !handles.includes(handle)) {
    const known = handles.length > 0 ? `it has ${handles.join(", ")}` : "its edges have no handle";
    problems.push(
      edgeProblem(edge, "UNKNOWN_HANDLE", `${nodeLabel(source)}: there is no handle "${handle}"; ${known}`),
    );
  }
  return problems;
}

/** The node named is the source, so that the canvas has something to show even where the edge is not drawn. */
function edgeProblem(edge: GraphEdge, code: string, message: string): GraphProblem {
  return { code, message, node_id: edge.source, edge_id: edge.id };
}
