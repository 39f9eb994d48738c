import type { PropertyType } from "#lib/contract/json-schema";
import type { GraphProblem } from "#lib/contract/workflow";
import { typeOfTemplate } from "#lib/core/graph/checks/expression-types";
import { nodeProblem } from "#lib/core/graph/checks/problem";
import type { GraphIndex } from "#lib/core/graph/edges";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

const WORDS: Record<PropertyType, string> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

/**
 * Expressions that give another type than their field takes, where the definition tells both. They stand in nobody's way:
 * some texts are numbers, and a run says so where one is not.
 */
export function warnTypes(index: GraphIndex): GraphProblem[] {
  return index.definition.nodes.flatMap((node) =>
    STEP_KINDS[node.type].typedFields(node.data).flatMap(({ field, template, expected, readsJson }) => {
      const isRead = readsJson === true && typeOfTemplate(index, template) === "string";
      if (isRead && (expected === "array" || expected === "object")) return [];
      const message = describeTypeMisfit(index, template, expected);
      return message === null ? [] : [nodeProblem(node, "TYPE_MISMATCH", `${field} ${message}`, field)];
    }),
  );
}

/** How an expression misses the type of its field, as the end of a sentence; null where it fits, or nobody can tell. */
export function describeTypeMisfit(index: GraphIndex, template: unknown, expected: PropertyType): string | null {
  if (typeof template !== "string" || !template.includes("{{")) return null;
  const given = typeOfTemplate(index, template);
  if (given === null || fits(given, expected)) return null;
  const canSpell = given === "string" && expected !== "array" && expected !== "object";
  const hint = canSpell ? `, which fits only where it spells ${WORDS[expected]}` : "";
  return `takes ${WORDS[expected]}, but its expression gives ${WORDS[given]}${hint}`;
}

/** Numbers and truth values become texts by themselves; nothing else becomes another thing for certain. */
function fits(given: PropertyType, expected: PropertyType): boolean {
  if (given === expected) return true;
  if (expected === "number" || expected === "integer") return given === "number" || given === "integer";
  return expected === "string" && given !== "object" && given !== "array";
}
