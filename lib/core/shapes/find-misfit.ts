import { membersOf, type Shape } from "#lib/core/shapes/shape";

/** A part of a value that certainly has another type than its place takes. */
export interface Misfit {
  path: readonly string[];
  given: Shape;
  wanted: Shape;
}

/**
 * Finds the first part of a value that cannot be what its place takes, if nothing is converted. Null counts as absent. A
 * list can be empty, so its items never misfit.
 */
export function findMisfit(given: Shape, wanted: Shape, path: readonly string[] = []): Misfit | null {
  const values = membersOf(given).filter(({ kind }) => kind !== "null");
  if (values.length === 0) return null;
  const pairs = values.flatMap((value) =>
    membersOf(wanted).flatMap((place) => (canFit(value, place) ? [[value, place] as const] : [])),
  );
  const [only, ...others] = pairs;
  if (only === undefined) return { path, given, wanted };
  const [value, place] = only;
  if (others.length > 0 || values.length > 1 || value.kind !== "object" || place.kind !== "object") return null;
  for (const [name, { shape }] of place.fields) {
    const field = value.fields.get(name);
    const misfit = field === undefined || field.isOptional ? null : findMisfit(field.shape, shape, [...path, name]);
    if (misfit !== null) return misfit;
  }
  return null;
}

function canFit(value: Shape, place: Shape): boolean {
  if (value.kind === "unknown" || place.kind === "unknown") return true;
  if (value.kind !== "scalar" || place.kind !== "scalar") return value.kind === place.kind;
  return value.type === place.type || (isNumeric(value.type) && isNumeric(place.type));
}

function isNumeric(type: string): boolean {
  return type === "number" || type === "integer";
}
