import { z } from "zod";
import { readPlaceRule } from "#lib/contract/action/field-places";
import type { PlacedField, TextPlaces } from "#lib/core/expressions/places/resolve-params";
import { isJsonObject } from "#lib/support/json";

/** Reads from a schema of params which texts have a language, and returns it when it is asked for first. */
export function textPlacesOf(params: z.ZodType): () => TextPlaces {
  let places: TextPlaces | null = null;
  return () => {
    places ??= placeIn(z.toJSONSchema(params, { io: "input", unrepresentable: "any" }))?.fields ?? {};
    return places;
  };
}

/** Returns what is known about the texts in a value of a schema, or null. */
function placeIn(schema: unknown): PlacedField | null {
  if (!isJsonObject(schema)) return null;
  const rule = readPlaceRule(schema);
  if (rule !== null) return { place: rule };
  const { properties, items, anyOf } = schema;
  if (isJsonObject(properties)) {
    const fields = Object.entries(properties).flatMap(([name, property]) => {
      const place = placeIn(property);
      return place === null ? [] : [[name, place] as const];
    });
    return fields.length === 0 ? null : { fields: Object.fromEntries(fields) };
  }
  const item = placeIn(items);
  if (item !== null) return { items: item };
  return Array.isArray(anyOf) ? (anyOf.map(placeIn).find((place) => place !== null) ?? null) : null;
}
