import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { nodeLabel } from "#lib/graph/node-data";

/**
 * A problem's message without what the place it is shown in says already: the node's name on its card, and the field's
 * path under the field. Sentences that begin with neither, such as the contract's, stay as they are.
 */
export function describeProblem(problem: GraphProblem, node: GraphNode): string {
  const withoutName = dropPrefix(problem.message, `${nodeLabel(node)}: `);
  const text = problem.field === undefined ? withoutName : withoutName.replace(` in ${problem.field} `, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The message under the field itself: "Is required" rather than "properties.0.name is required". */
export function describeFieldProblem(problem: GraphProblem, node: GraphNode): string {
  const text = dropPrefix(describeProblem(problem, node), `${problem.field} `, true);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function dropPrefix(text: string, prefix: string, ignoresCase = false): string {
  const start = text.slice(0, prefix.length);
  const isPrefix = ignoresCase ? start.toLowerCase() === prefix.toLowerCase() : start === prefix;
  return isPrefix ? text.slice(prefix.length) : text;
}
