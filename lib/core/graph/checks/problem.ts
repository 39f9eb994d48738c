import type { GraphNode } from "#lib/contract/graph";
import type { GraphProblem } from "#lib/contract/workflow";
import { nodeLabel } from "#lib/core/steps/node-data";

/**
 * Names come from drafts, where they can have any length. Without these limits, 200 problems of one node with a name of
 * 1 MiB would be an answer of 200 MiB.
 */
const NAME_CHARACTERS = 200;
const MESSAGE_CHARACTERS = 2_000;

/** Creates an error of one node. Its message starts with the name that people see. */
export function nodeProblem(node: GraphNode, code: string, message: string, field?: string): GraphProblem {
  return {
    severity: "error",
    code,
    message: shortened(`${shortened(nodeLabel(node), NAME_CHARACTERS)}: ${message}`, MESSAGE_CHARACTERS),
    node_id: node.id,
    ...(field === undefined ? {} : { field: shortened(field, NAME_CHARACTERS) }),
  };
}

/** Creates a warning of one node, which does not prevent publishing. */
export function nodeWarning(node: GraphNode, code: string, message: string, field?: string): GraphProblem {
  return { ...nodeProblem(node, code, message, field), severity: "warning" };
}

export function isError({ severity }: GraphProblem): boolean {
  return severity === "error";
}

function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}
