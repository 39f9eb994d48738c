import { findOperation } from "#lib/connectors/registry";
import type { Definition } from "#lib/contract/graph";
import type { GraphProblem, WorkflowType } from "#lib/contract/workflow";
import { checkPatterns } from "#lib/expressions/check-patterns";
import { deriveType } from "#lib/graph/derive-type";
import { nodeLabel } from "#lib/graph/node-data";
import { validateGraph } from "#lib/graph/validate-graph";

/**
 * Everything that stands in the way of publishing a definition.
 * @param fixedType the type since the first publish, which no later version may change (decisions, The graph
 *   document); null before
 */
export function findProblems(definition: Definition, fixedType: WorkflowType | null): GraphProblem[] {
  const problems = [...validateGraph(definition), ...checkPatterns(definition), ...checkOperations(definition)];
  const type = deriveType(definition);
  if (fixedType === null || fixedType === type) return problems;
  const message = `This workflow was published as ${fixedType} and cannot become ${type}. Make a new workflow for that.`;
  return [...problems, { code: "TYPE_FIXED", message }];
}

/** Steps that call an operation there is not. */
function checkOperations(definition: Definition): GraphProblem[] {
  return definition.nodes.flatMap((node) => {
    const { connector, operation } = node.data;
    if (node.type !== "connector" || typeof connector !== "string" || typeof operation !== "string") return [];
    if (connector === "" || operation === "" || findOperation(connector, operation)) return [];
    const message = `${nodeLabel(node)}: there is no operation "${operation}" of a connector "${connector}"`;
    return [{ code: "UNKNOWN_OPERATION", message, node_id: node.id, field: "operation" }];
  });
}
