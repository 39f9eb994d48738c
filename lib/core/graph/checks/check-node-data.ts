import type { z } from "zod";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { fixValue } from "#lib/core/graph/checks/fix-text";
import { type GraphMemory, recall } from "#lib/core/graph/checks/graph-memory";
import { suggestValue } from "#lib/core/graph/checks/meant/suggest-value";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import { findUnknownKeys } from "#lib/core/graph/checks/unknown-keys";
import type { GraphIndex } from "#lib/core/graph/edges";
import { isDisabled } from "#lib/core/steps/is-disabled";
import { STEP_DATA } from "#lib/core/steps/step-data";
import { getPath } from "#lib/support/get-path";
import { parseGiven } from "#lib/support/leave-out-nulls";

const TYPE_WORDS: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "text",
};

/** Plain messages for zod issues whose schema does not define its own. */
export function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") {
    if (issue.input === undefined) return "is required";
    return `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === "invalid_value") return `must be one of: ${issue.values.map(String).join(", ")}`;
  if (issue.code === "too_big") return `must not exceed ${issue.maximum}`;
  return undefined;
}

/** Checks every field of every node's configuration (decisions, The graph document). */
export function checkNodeData(index: GraphIndex, { dataProblems }: GraphMemory): GraphProblem[] {
  return index.definition.nodes.flatMap((node) => recall(dataProblems, node, checkData));
}

/** Names every disabled step, so that no one publishes one by mistake. */
export function warnDisabled({ nodes }: Definition): GraphProblem[] {
  return nodes
    .filter(isDisabled)
    .map((node) => nodeWarning(node, "STEP_DISABLED", "this step is disabled, so runs skip it", "disabled"));
}

function checkData(node: GraphNode): GraphProblem[] {
  const unknown = findUnknownKeys(node);
  const result = parseGiven<z.ZodType>(STEP_DATA[node.type], node.data, { error: plainMessage });
  const issues = result.success ? [] : result.error.issues;
  const invalid = issues.map((issue) => {
    const field = issue.path.join(".");
    const meant = suggestValue(issue, getPath(node.data, issue.path.map(keyOf)));
    const words = meant === null ? "" : `; did you mean ${JSON.stringify(meant)}?`;
    const problem = nodeProblem(node, "INVALID_DATA", `${field} ${issue.message}${words}`, field);
    const fix = meant === null ? null : fixValue(node, field, () => meant);
    return fix === null ? problem : { ...problem, fix };
  });
  return [...invalid, ...unknown];
}

function keyOf(key: PropertyKey): string | number {
  return typeof key === "number" ? key : String(key);
}
