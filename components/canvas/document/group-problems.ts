import type { GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { describeProblem, fieldWords } from "@/components/canvas/document/describe-problem";

/** Problems of several steps with one cause. */
export interface ProblemGroup {
  /** The words that all of them share. */
  cause: string;
  problems: readonly GraphProblem[];
}

/** Fewer are shown one by one, because a group hides which steps they are about. */
const GROUP_MIN = 3;

/**
 * Returns the problems with those of one cause together, in the place of the first of them. Two have one cause if they
 * say the same about two steps.
 */
export function groupProblems(
  problems: readonly GraphProblem[],
  nodes: ReadonlyMap<string, GraphNode>,
): (GraphProblem | ProblemGroup)[] {
  const causes = new Map(problems.map((problem) => [problem, causeOf(problem, nodes)]));
  const byCause = Map.groupBy(problems, (problem) => `${problem.severity} ${problem.code} ${causes.get(problem)}`);
  return [...byCause.values()].flatMap((same): (GraphProblem | ProblemGroup)[] => {
    const [first] = same;
    if (first === undefined || first.node_id === undefined || same.length < GROUP_MIN) return same;
    return [{ cause: causes.get(first) ?? first.message, problems: same }];
  });
}

/** The same value may be in another field of each step, so the field is no part of the cause. */
function causeOf(problem: GraphProblem, nodes: ReadonlyMap<string, GraphNode>): string {
  const node = nodes.get(problem.node_id ?? "");
  if (node === undefined) return problem.message;
  const text = describeProblem(problem, node);
  return problem.field ? text.replace(` in ${fieldWords(problem.field)}`, "") : text;
}
