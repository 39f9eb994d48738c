import { StepError } from "#lib/contract/run/step-error";
import type { PropertyType } from "#lib/contract/wire/json-schema";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { nodeProblem, nodeWarning } from "#lib/core/graph/checks/problem";
import type { GraphIndex } from "#lib/core/graph/edges";
import { type NodeShapes, shapesOf } from "#lib/core/graph/node-shapes";
import { TYPE_WORDS } from "#lib/core/shapes/describe-shape";
import { typeOfShape } from "#lib/core/shapes/shape";
import { coerceValue } from "#lib/core/steps/coerce-value";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";

/**
 * Warns about expressions that produce a different type than their field expects, if the definition determines both.
 * Warnings do not prevent publishing: some texts are numbers, and a run fails with a clear error if one is not. A value
 * without expressions that fails every run is an error.
 */
export function warnTypes(index: GraphIndex, shapes = shapesOf(index)): GraphProblem[] {
  return index.definition.nodes.flatMap((node) =>
    STEP_KINDS[node.type].typedFields(node.data).flatMap(({ field, template, expected, readsJson }) => {
      const isText = isExpression(template) && typeOfShape(shapes.ofTemplate(template)) === "string";
      const isRead = readsJson === true && isText;
      if (isRead && (expected === "array" || expected === "object")) return [];
      const message = describeTypeMisfit(shapes, template, expected);
      if (message !== null) return [nodeWarning(node, "TYPE_MISMATCH", `${field} ${message}`, field)];
      const misfit = describeConstant(template, expected, readsJson === true);
      return misfit === null ? [] : [nodeProblem(node, "TYPE_MISMATCH", `${field} ${misfit}`, field)];
    }),
  );
}

/**
 * Describes how the type of an expression differs from the type of its field, as the end of a sentence; null if it fits
 * or is unknown.
 */
export function describeTypeMisfit(shapes: NodeShapes, template: unknown, expected: PropertyType): string | null {
  if (!isExpression(template)) return null;
  const given = typeOfShape(shapes.ofTemplate(template));
  if (given === null || fits(given, expected)) return null;
  const canSpell = given === "string" && expected !== "array" && expected !== "object";
  const hint = canSpell ? `, which only works if the text is ${TYPE_WORDS[expected]}` : "";
  return `expects ${TYPE_WORDS[expected]}, but its expression returns ${TYPE_WORDS[given]}${hint}`;
}

function isExpression(template: unknown): boolean {
  return typeof template === "string" && template.includes("{{");
}

/** @returns null for a value with expressions, and for one that fits */
function describeConstant(value: unknown, expected: PropertyType, readsJson: boolean): string | null {
  if (value === undefined || value === null || value === "" || JSON.stringify(value).includes("{{")) return null;
  const isLost = !readsJson && expected === "array" && !Array.isArray(value);
  if (isLost) return `${NO_LIST} ${JSON.stringify(value).slice(0, 60)}`;
  if (!readsJson) return null;
  try {
    coerceValue("", expected, value);
    return null;
  } catch (error) {
    return error instanceof StepError ? error.message.trim() : null;
  }
}

const NO_LIST = "must be a list, or an expression that gives one such as {{step.items}}, but is";

/** Numbers and booleans can become text; no other conversion always works. */
function fits(given: PropertyType, expected: PropertyType): boolean {
  if (given === expected) return true;
  if (expected === "number" || expected === "integer") return given === "number" || given === "integer";
  return expected === "string" && given !== "object" && given !== "array";
}
