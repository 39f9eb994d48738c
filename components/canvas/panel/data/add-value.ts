import type { PropertyType } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { typeOfShape } from "#lib/core/shapes/shape";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";
import type { DataNode } from "@/components/canvas/panel/data/data-node";

/**
 * Returns the data of a step that consists of named values with one more: a value of an earlier step, under its own name.
 * Returns null for a step without such a list.
 * @param canBeMissing true if some runs have no such value
 */
export function addValue({ type, data }: GraphNode, value: DataNode, canBeMissing: boolean): GraphNode["data"] | null {
  const { expression } = value;
  if (expression === null) return null;
  return STEP_KINDS[type].addValue(data, { name: nameOf(value), type: typeOf(value), expression, canBeMissing });
}

/** The last name on the path of the value; the name of the step for its whole output. */
function nameOf({ step, path }: DataNode): string {
  return String(path.findLast((key) => typeof key === "string") ?? step.name);
}

/** A number that was whole in one run can have a fraction in the next. */
function typeOf({ shape, value }: DataNode): PropertyType {
  const declared = typeOfShape(shape);
  if (declared !== null) return declared;
  if (Array.isArray(value)) return "array";
  if (isJsonObject(value)) return "object";
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : "string";
}
