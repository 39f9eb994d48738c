import type { PlaceRule, WrittenPlace } from "#lib/contract/action/field-places";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { resolvePlaced } from "#lib/core/expressions/places/resolve-placed";
import { nestedTooDeeply, resolveTemplate } from "#lib/core/expressions/resolve-template";
import type { TemplateBudget } from "#lib/core/expressions/template-budget";
import { prefixFields } from "#lib/core/expressions/unresolved-path";
import { isJsonObject, setOwn } from "#lib/support/json";

/** What the texts in a field are. */
export interface PlacedField {
  /**
   * The language of every text in the field. A function reads it from the other fields, which are resolved, and the field
   * before it is.
   */
  place?: PlaceRule | ((others: JsonObject, value: unknown) => WrittenPlace | null);
  /** The fields of an object with a language of their own. */
  fields?: TextPlaces;
  /** The items of a list. */
  items?: PlacedField;
}

/** What the texts of an operation's params are, by the name of the param. */
export type TextPlaces = Readonly<Record<string, PlacedField>>;

interface Resolving {
  scope: Record<string, unknown>;
  budget: TemplateBudget;
}

/**
 * Resolves the params of an operation. In a text that has a language, each value is written for its place.
 * @param field the place of the params in the node's data, for the warnings
 * @throws StepError VALIDATION_ERROR as resolveTemplate does, or for a value that its place can't hold
 */
export function resolveParams(
  params: JsonObject,
  places: TextPlaces,
  scope: Record<string, unknown>,
  budget: TemplateBudget,
  field: string,
): JsonObject {
  const noted = budget.unresolved.length;
  const resolved = resolveFields(params, places, { scope, budget }, "");
  prefixFields(budget.unresolved, noted, field);
  return resolved;
}

/** @param path the place of the object in the params, for the errors; empty or with a dot at its end */
function resolveFields(object: JsonObject, places: TextPlaces, resolving: Resolving, path: string): JsonObject {
  const placed = Object.keys(places).filter((name) => Object.hasOwn(object, name) && hasExpression(object[name]));
  const { scope, budget } = resolving;
  if (placed.length === 0) return resolveTemplate(object, scope, budget) as JsonObject;
  const others = Object.fromEntries(Object.entries(object).filter(([name]) => !placed.includes(name)));
  const resolved = resolveTemplate(others, scope, budget) as JsonObject;
  const written = new Map(
    placed.map((name) => {
      const noted = budget.unresolved.length;
      const value = resolveField(object[name], places[name] ?? {}, resolved, resolving, path + name);
      prefixFields(budget.unresolved, noted, name);
      return [name, value] as const;
    }),
  );
  const copy: JsonObject = {};
  for (const name of Object.keys(object)) setOwn(copy, name, written.has(name) ? written.get(name) : resolved[name]);
  return copy;
}

function hasExpression(value: unknown): boolean {
  if (typeof value === "string") return value.includes("{{");
  return typeof value === "object" && value !== null && Object.values(value).some(hasExpression);
}

function resolveField(
  value: unknown,
  { place: rule, fields, items }: PlacedField,
  others: JsonObject,
  resolving: Resolving,
  path: string,
): unknown {
  const place = rule === undefined ? null : placeBy(rule, others, value);
  if (place !== null) return resolveDeep(value, place, resolving, path, LIMITS.jsonDepth);
  if (fields && isJsonObject(value)) return resolveFields(value, fields, resolving, `${path}.`);
  if (items && Array.isArray(value)) {
    return value.map((item, index) => {
      const noted = resolving.budget.unresolved.length;
      const resolved = resolveField(item, items, {}, resolving, `${path}.${index}`);
      prefixFields(resolving.budget.unresolved, noted, index);
      return resolved;
    });
  }
  return resolveTemplate(value, resolving.scope, resolving.budget);
}

function placeBy(rule: NonNullable<PlacedField["place"]>, others: JsonObject, value: unknown): WrittenPlace | null {
  if (typeof rule === "string") return rule;
  if (typeof rule === "function") return rule(others, value);
  const by = others[rule.by];
  const isNamed = typeof by === "string" && Object.hasOwn(rule.is, by);
  return isNamed ? (rule.is[by] ?? null) : rule.otherwise;
}

/** Resolves every text in a value. */
function resolveDeep(value: unknown, place: WrittenPlace, resolving: Resolving, path: string, depth: number): unknown {
  const { scope, budget } = resolving;
  if (typeof value === "string" && value.includes("{{")) return resolvePlaced(value, place, scope, budget, path);
  if (typeof value !== "object" || value === null) return resolveTemplate(value, scope, budget);
  if (depth === 0) throw nestedTooDeeply();
  const step = (item: unknown, key: string | number) => {
    const noted = budget.unresolved.length;
    const resolved = resolveDeep(item, place, resolving, `${path}.${key}`, depth - 1);
    prefixFields(budget.unresolved, noted, key);
    return resolved;
  };
  if (Array.isArray(value)) return value.map(step);
  const copy: JsonObject = {};
  for (const [name, item] of Object.entries(value)) setOwn(copy, name, step(item, name));
  return copy;
}
