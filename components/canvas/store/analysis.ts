import type { Definition } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { type GraphIndex, indexGraph } from "#lib/graph/edges";
import { validateGraph } from "#lib/graph/validate-graph";
import { warnTypes } from "#lib/graph/warn-types";
import { orderSteps } from "@/components/canvas/document/step-order";

/** What follows from a definition alone. */
export interface Analysis {
  index: GraphIndex;
  /** Step numbers by node id, from 1, in reading order. */
  steps: ReadonlyMap<string, number>;
  problems: readonly GraphProblem[];
  problemsByNode: ReadonlyMap<string, readonly GraphProblem[]>;
  /** What is likely wrong and stands in nobody's way. */
  warnings: readonly GraphProblem[];
}

const known = new WeakMap<Definition, Analysis>();
const NONE: readonly GraphProblem[] = [];

/** The analysis of a definition, made once for each: definitions are never changed in place. */
export function analyse(definition: Definition): Analysis {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const problems = validateGraph(definition);
  const problemsByNode = new Map<string, GraphProblem[]>();
  for (const problem of problems) {
    if (problem.node_id === undefined) continue;
    problemsByNode.set(problem.node_id, [...(problemsByNode.get(problem.node_id) ?? []), problem]);
  }
  const steps = new Map(orderSteps(definition).map((id, index) => [id, index + 1]));
  const index = indexGraph(definition);
  const warnings = warnTypes(index);
  const analysis = { index, steps, problems, problemsByNode, warnings };
  known.set(definition, analysis);
  return analysis;
}

/** Problems without those of the field that is being typed into: `{{am` on its way to a value is no mistake. */
export function settledProblems(
  problems: readonly GraphProblem[],
  typingIn: { nodeId: string; field: string } | null,
): readonly GraphProblem[] {
  if (typingIn === null) return problems;
  const isTyped = ({ node_id, field = "" }: GraphProblem) =>
    node_id === typingIn.nodeId && (field === typingIn.field || field.startsWith(`${typingIn.field}.`));
  return problems.some(isTyped) ? problems.filter((problem) => !isTyped(problem)) : problems;
}

export function problemsOf(analysis: Analysis, nodeId: string): readonly GraphProblem[] {
  return analysis.problemsByNode.get(nodeId) ?? NONE;
}
