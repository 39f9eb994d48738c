import type { GraphEdge } from "#lib/contract/workflow/graph";
import type { ProblemCode } from "#lib/contract/workflow/problem-codes";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import type { GraphIndex } from "#lib/core/graph/edges";
import { handlesOf } from "#lib/core/steps/define-step-kind";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { listSuggestions } from "#lib/support/list-suggestions";

/**
 * Checks that every edge is unique and connects two different nodes in the same loop, with a handle that its source
 * has.
 */
export function checkEdges(index: GraphIndex): GraphProblem[] {
  const problems: GraphProblem[] = [];
  const ids = new Set<string>();
  const seen = new Set<string>();
  for (const edge of index.definition.edges) {
    if (ids.has(edge.id))
      problems.push(edgeProblem(edge, "DUPLICATE_EDGE_ID", `the edge id "${edge.id}" is used twice`));
    ids.add(edge.id);
    const key = JSON.stringify([edge.source, edge.target, edge.sourceHandle ?? null]);
    if (seen.has(key)) problems.push(edgeProblem(edge, "DUPLICATE_EDGE", "this edge exists twice"));
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
    const { words } = listSuggestions(missing, index.nodes.keys());
    return [
      edgeProblem(
        edge,
        "UNKNOWN_EDGE_END",
        `one end of the edge is the step "${missing}", which does not exist${words}`,
      ),
    ];
  }
  const problems: GraphProblem[] = [];
  if (source === target) {
    problems.push(edgeProblem(edge, "SELF_LOOP", `${nodeLabel(source)}: an edge cannot lead back to its own step`));
  }
  if (source.parentId !== target.parentId) {
    problems.push(edgeProblem(edge, "EDGE_CROSSES_LOOP", "an edge cannot lead into or out of a loop"));
  }
  const handle = edge.sourceHandle ?? null;
  const handles = handlesOf(STEP_KINDS[source.type], source.data);
  if (handle !== null && !handles.includes(handle)) {
    const known = handles.length > 0 ? `the handles are ${handles.join(", ")}` : "edges from this step have no handle";
    const { words } = listSuggestions(handle, handles);
    problems.push(
      edgeProblem(
        edge,
        "UNKNOWN_HANDLE",
        `${nodeLabel(source)}: the handle "${handle}" does not exist${words || `; ${known}`}`,
      ),
    );
  }
  return problems;
}

/** Assigns the problem to the source node, so that the canvas can show it even if the edge is not drawn. */
function edgeProblem(edge: GraphEdge, code: ProblemCode, message: string): GraphProblem {
  return { severity: "error", code, message, node_id: edge.source, edge_id: edge.id };
}
