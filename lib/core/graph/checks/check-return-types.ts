import type { GraphProblem } from "#lib/contract/workflow";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import type { GraphIndex } from "#lib/core/graph/edges";
import { nodeLabel } from "#lib/core/steps/node-data";
import { returnOutputData } from "#lib/core/steps/return-output/return-output-data";
import { returnOutputKind } from "#lib/core/steps/return-output/return-output-kind";
import { parseGiven } from "#lib/support/leave-out-nulls";

/**
 * Checks that all Return Output nodes declare the same type for a property, because together they make up one output
 * schema.
 */
export function checkReturnTypes(index: GraphIndex): GraphProblem[] {
  const first = new Map<string, { type: string; label: string }>();
  const problems: GraphProblem[] = [];
  for (const node of index.definition.nodes) {
    if (node.type !== returnOutputKind.type) continue;
    const data = parseGiven(returnOutputData, node.data);
    for (const [position, { name, type }] of (data.data?.properties ?? []).entries()) {
      const known = first.get(name);
      if (!known) first.set(name, { type, label: nodeLabel(node) });
      else if (known.type !== type) {
        const message = `"${name}" has type ${type} here and type ${known.type} in ${known.label}`;
        problems.push(nodeProblem(node, "RETURN_TYPE_CONFLICT", message, `properties.${position}.type`));
      }
    }
  }
  return problems;
}
