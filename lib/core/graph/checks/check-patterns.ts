import type { Definition, GraphNode } from "#lib/contract/graph";
import { StepError } from "#lib/contract/step-error";
import type { GraphProblem } from "#lib/contract/workflow";
import { compilePattern } from "#lib/core/expressions/match-pattern";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { valuesAt } from "#lib/core/graph/checks/values-at";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";

/**
 * Finds publish problems in the literal patterns of conditions. Not part of `validateGraph`, because the pattern engine
 * is large and the canvas validates in the browser.
 */
export function checkPatterns(definition: Definition): GraphProblem[] {
  return definition.nodes.flatMap((node) =>
    STEP_KINDS[node.type].ruleLists
      .flatMap((pattern) => valuesAt(node.data, pattern))
      .flatMap(({ field, value }) => checkRules(node, value, field)),
  );
}

function checkRules(node: GraphNode, rules: unknown, path: string): GraphProblem[] {
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown, index) => {
    if (!isJsonObject(rule) || rule.operator !== "matches" || typeof rule.right !== "string") return [];
    if (rule.right.includes("{{")) return [];
    const reason = whyUnreadable(rule.right);
    const field = `${path}.${index}.right`;
    return reason === null ? [] : [nodeProblem(node, "INVALID_PATTERN", `${field}: ${reason}`, field)];
  });
}

function whyUnreadable(pattern: string): string | null {
  try {
    compilePattern(pattern);
    return null;
  } catch (error) {
    if (error instanceof StepError) return error.message;
    throw error;
  }
}
