import type { GraphNode } from "#lib/contract/graph";
import type { JsonObject, PropertyType } from "#lib/contract/json-schema";
import { typeOfShape } from "#lib/core/shapes/shape";
import { isJsonObject } from "#lib/support/json";
import type { DataNode } from "@/components/canvas/panel/data/data-node";

/**
 * Returns the data of a step that consists of named values with one more: a value of an earlier step, under its own name.
 * Returns null for a step without such a list.
 * @param canBeMissing true if some runs have no such value
 */
export function addValue({ type, data }: GraphNode, value: DataNode, canBeMissing: boolean): GraphNode["data"] | null {
  if (value.expression === null) return null;
  if (type === "return_output") {
    const field = { name: nameOf(value), type: typeOf(value), required: !canBeMissing, value: value.expression };
    return { ...data, properties: withItem(data.properties, field) };
  }
  if (type === "transform" && data.jsonata === undefined) {
    return { ...data, fields: withItem(data.fields, { name: nameOf(value), value: value.expression }) };
  }
  if (type !== "code") return null;
  const input = isJsonObject(data.input) ? data.input : {};
  return { ...data, input: { ...input, [freeName(nameOf(value), Object.keys(input))]: value.expression } };
}

/** An item that was added and never filled in makes room for the new one. */
function withItem(list: unknown, item: { name: string } & JsonObject): Record<string, unknown>[] {
  const items = Array.isArray(list) ? list.filter(isJsonObject) : [];
  const filled = items.filter(({ name, value }) => name !== "" || value !== "");
  const names = filled.map(({ name }) => name);
  return [...filled, { ...item, name: freeName(item.name, names) }];
}

/** The last name on the path of the value; the name of the step for its whole output. */
function nameOf({ step, path }: DataNode): string {
  return String(path.findLast((key) => typeof key === "string") ?? step.name);
}

function freeName(name: string, taken: readonly unknown[]): string {
  let free = name;
  for (let suffix = 2; taken.includes(free); suffix += 1) free = `${name}_${suffix}`;
  return free;
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
