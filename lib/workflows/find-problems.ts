import type { Definition } from "#lib/contract/graph";
import type { GraphProblem, WorkflowType } from "#lib/contract/workflow";
import { checkPatterns } from "#lib/expressions/check-patterns";
import { deriveType } from "#lib/graph/derive-type";
import { validateGraph } from "#lib/graph/validate-graph";

/**
 * Everything that stands in the way of publishing a definition.
 * @param fixedType the type since the first publish, which no later version may change (decisions, The graph
 *   document); null before
 */
export function findProblems(definition: Definition, fixedType: WorkflowType | null): GraphProblem[] {
  const problems = [...validateGraph(definition), ...checkPatterns(definition)];
  const type = deriveType(definition);
  if (fixedType === null || fixedType === type) return problems;
  const message = `This workflow was published as ${fixedType} and cannot become ${type}. Make a new workflow for that.`;
  return [...problems, { code: "TYPE_FIXED", message }];
}
