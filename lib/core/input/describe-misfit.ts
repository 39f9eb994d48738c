import type { PropertySchema } from "#lib/contract/wire/json-schema";
import { canonicalJson, fitsType, isJsonObject } from "#lib/support/json";

interface Misfit {
  path: readonly string[];
  problem: string;
}

/**
 * Describes why a default or an allowed value does not fit its own schema, such as "lines.0.sku must be of type string";
 * null if it fits. Patterns are not checked, because the canvas runs this, too, and the pattern engine is large.
 */
export function describeMisfit(schema: PropertySchema, value: unknown): string | null {
  const misfit = findMisfit(schema, value, []);
  if (misfit === null) return null;
  return misfit.path.length === 0 ? misfit.problem : `${misfit.path.join(".")} ${misfit.problem}`;
}

function findMisfit(schema: PropertySchema, value: unknown, path: readonly string[]): Misfit | null {
  const problem = ownProblem(schema, value);
  if (problem !== null) return { path, problem };
  if (Array.isArray(value)) return schema.items ? findInItems(schema.items, value, path) : null;
  if (!isJsonObject(value)) return null;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const inside = [...path, name];
    if (Object.hasOwn(value, name)) {
      const misfit = findMisfit(property, value[name], inside);
      if (misfit !== null) return misfit;
    } else if (schema.required?.includes(name)) return { path: inside, problem: "is required" };
  }
  return null;
}

function findInItems(items: PropertySchema, list: readonly unknown[], path: readonly string[]): Misfit | null {
  if (!list.every((item) => fitsType(items.type, item))) {
    return { path, problem: `must contain only items of type ${items.type}` };
  }
  for (const [index, item] of list.entries()) {
    const misfit = findMisfit(items, item, [...path, String(index)]);
    if (misfit !== null) return misfit;
  }
  return null;
}

function ownProblem({ type, enum: values, ...bounds }: PropertySchema, value: unknown): string | null {
  if (!fitsType(type, value)) return `must be of type ${type}`;
  if (values && !values.map(canonicalJson).includes(canonicalJson(value))) return "must be one of the values in enum";
  const size = sizeOf(value);
  const low = bounds.minLength ?? bounds.minItems ?? bounds.minimum;
  const high = bounds.maxLength ?? bounds.maxItems ?? bounds.maximum;
  if (size === null) return null;
  if (low !== undefined && size < low) return `must not be less than ${low}`;
  return high !== undefined && size > high ? `must not exceed ${high}` : null;
}

/** Returns what bounds compare: a number, the characters of a text or the items of a list. */
function sizeOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value === "string") return [...value].length;
  return Array.isArray(value) ? value.length : null;
}
