import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { ProblemCode } from "#lib/contract/workflow/problem-codes";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { listBypassed } from "#lib/core/steps/is-disabled";
import { nodeLabel } from "#lib/core/steps/node-data";

/**
 * Limits the number of problems: a person cannot act on more at once, and the answer to a hostile definition could
 * otherwise have many megabytes.
 */
export const MAX_PROBLEMS = 200;

/**
 * Names come from drafts, where they can have any length. Without these limits, 200 problems of one node with a name of
 * 1 MiB would be an answer of 200 MiB.
 */
const NAME_CHARACTERS = 200;
const MESSAGE_CHARACTERS = 2_000;

/** Creates an error of one node. Its message starts with the name that people see. */
export function nodeProblem(node: GraphNode, code: ProblemCode, message: string, field?: string): GraphProblem {
  return {
    severity: "error",
    code,
    message: shortened(`${shortened(nodeLabel(node), NAME_CHARACTERS)}: ${message}`, MESSAGE_CHARACTERS),
    node_id: node.id,
    ...(field === undefined ? {} : { field: shortened(field, NAME_CHARACTERS) }),
  };
}

/** Creates a warning of one node, which does not prevent publishing. */
export function nodeWarning(node: GraphNode, code: ProblemCode, message: string, field?: string): GraphProblem {
  return { ...nodeProblem(node, code, message, field), severity: "warning" };
}

/** Problems that a version can have although it runs. */
const RAN_BEFORE: ReadonlySet<string> = new Set<ProblemCode>([
  "HOST_NOT_ALLOWED",
  "UNKNOWN_KEY",
  "TYPE_MISMATCH",
  "UNKNOWN_FIELD",
  "UNDEFINED_VARIABLE",
  "WHOLE_INPUT",
]);

/**
 * Returns the problems of a version that was published before. A key that nothing reads, a rule that is always
 * false, a field that is always empty, a variable on a path that no run takes, a host that its connection did not allow
 * either, and a wildcard that finds nothing have never kept it from running, so they must not keep anyone from going
 * back to it.
 */
export function asPublishedBefore(problems: readonly GraphProblem[]): GraphProblem[] {
  return problems.map((problem) => (RAN_BEFORE.has(problem.code) ? { ...problem, severity: "warning" } : problem));
}

/** Problems that matter although no run executes the step: its secrets can be read, and it must be known to be off. */
const ALWAYS_RELEVANT = /^(SECRET_|STEP_DISABLED$)/;

/**
 * Leaves out the problems of the settings of steps that no run executes. People disable a step that is not finished, and
 * the checks apply again before a version with the enabled step is published.
 */
export function keepRelevant({ nodes }: Definition, problems: readonly GraphProblem[]): readonly GraphProblem[] {
  const bypassed = listBypassed(nodes);
  if (bypassed.size === 0) return problems;
  return problems.filter(({ code, field, node_id: nodeId }) => {
    return field === undefined || nodeId === undefined || !bypassed.has(nodeId) || ALWAYS_RELEVANT.test(code);
  });
}

export function isError({ severity }: GraphProblem): boolean {
  return severity === "error";
}

function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}
