import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { compilePattern, patternSize, patternsProblem } from "#lib/core/expressions/match-pattern";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import { valuesAt } from "#lib/core/graph/checks/values-at";
import { actionInputKind } from "#lib/core/steps/action-input/action-input-kind";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";

/**
 * Finds publish problems in the literal patterns of conditions, and in those of an action's input. Not part of `validateGraph`, because the pattern engine
 * is large and the canvas validates in the browser.
 */
export function checkPatterns(definition: Definition): GraphProblem[] {
  const problems: GraphProblem[] = [];
  const seen = new Set<string>();
  let size = 0;
  for (const { node, field, pattern } of literalPatterns(definition)) {
    if (!seen.has(pattern)) size += patternSize(pattern, LIMITS.patternSize);
    seen.add(pattern);
    const reason = size > LIMITS.definitionPatternSize ? patternsProblem() : whyUnreadable(pattern);
    if (reason !== null) problems.push(nodeProblem(node, "INVALID_PATTERN", `${field}: ${reason}`, field));
    // The patterns after this one would all have the same problem.
    if (size > LIMITS.definitionPatternSize) break;
  }
  return problems;
}

function literalPatterns(definition: Definition): { node: GraphNode; field: string; pattern: string }[] {
  return definition.nodes.flatMap((node) => {
    const rules = STEP_KINDS[node.type].ruleLists.flatMap((place) => valuesAt(node.data, place));
    const inRules = rules.flatMap(({ field, value }) => patternsOf(value, field));
    const inInput = node.type === actionInputKind.type ? inputPatterns(node.data.properties, "properties") : [];
    return [...inRules, ...inInput].map((found) => ({ node, ...found }));
  });
}

/** Lists the patterns of fields at any depth. The depth of a definition is limited when it is saved. */
function inputPatterns(value: unknown, field: string): { field: string; pattern: string }[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => inputPatterns(item, `${field}.${index}`));
  if (!isJsonObject(value)) return [];
  const { pattern, items, properties } = value;
  return [
    ...(typeof pattern === "string" ? [{ field: `${field}.pattern`, pattern }] : []),
    ...inputPatterns(items, `${field}.items`),
    ...inputPatterns(properties, `${field}.properties`),
  ];
}

function patternsOf(rules: unknown, path: string): { field: string; pattern: string }[] {
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown, index) => {
    if (!isJsonObject(rule) || rule.operator !== "matches" || typeof rule.right !== "string") return [];
    return rule.right.includes("{{") ? [] : [{ field: `${path}.${index}.right`, pattern: rule.right }];
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
