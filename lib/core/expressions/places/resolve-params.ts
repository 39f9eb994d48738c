import type { JsonObject } from "#lib/contract/json-schema";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import { resolveUrl } from "#lib/core/expressions/places/resolve-url";
import type { WrittenPlace } from "#lib/core/expressions/places/written-place";
import { countExpressions, resolveTemplate } from "#lib/core/expressions/resolve-template";
import type { TemplateBudget } from "#lib/core/expressions/template-budget";
import { prefixFields } from "#lib/core/expressions/unresolved-path";
import { setOwn } from "#lib/support/json";

/**
 * What the texts of an operation's params are, by the name of the param. A function reads it from the other params, which
 * are resolved.
 */
export type TextPlaces = Readonly<Record<string, WrittenPlace | ((params: JsonObject) => WrittenPlace | null)>>;

/**
 * Resolves the params of an operation. In a text that is more than one expression, each value is written for its place.
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
  const placed = Object.keys(places).filter((name) => isMixedText(params[name]));
  if (placed.length === 0) return resolveTemplate(params, scope, budget, field) as JsonObject;
  const others = Object.fromEntries(Object.entries(params).filter(([name]) => !placed.includes(name)));
  const resolved = resolveTemplate(others, scope, budget, field) as JsonObject;
  const texts = placed.map((name) => {
    const place = places[name];
    const noted = budget.unresolved.length;
    const text = resolveText(params[name], typeof place === "function" ? place(resolved) : place, scope, budget);
    prefixFields(budget.unresolved, noted, `${field}.${name}`);
    return [name, text] as const;
  });
  const written = new Map<string, unknown>(texts);
  const copy: JsonObject = {};
  for (const name of Object.keys(params)) setOwn(copy, name, written.has(name) ? written.get(name) : resolved[name]);
  return copy;
}

/** Returns true for a text with an expression and something else. */
function isMixedText(value: unknown): boolean {
  return typeof value === "string" && value.includes("{{") && parseTemplate(value).parts.length > 1;
}

function resolveText(
  text: unknown,
  place: WrittenPlace | null | undefined,
  scope: Record<string, unknown>,
  budget: TemplateBudget,
): unknown {
  if (typeof text !== "string" || place === null || place === undefined) return resolveTemplate(text, scope, budget);
  countExpressions(text, budget);
  return resolveUrl(parseTemplate(text), scope, budget);
}
