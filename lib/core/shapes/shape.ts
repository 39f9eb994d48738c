import type { PropertyType } from "#lib/contract/wire/json-schema";

export type ScalarType = Exclude<PropertyType, "object" | "array">;

/** One field of an object. */
export interface ShapeField {
  shape: Shape;
  /** True if the object can be without it. */
  isOptional: boolean;
  description: string;
}

/** Everything that is known about a value before a run. */
export type Shape =
  | { kind: "unknown" }
  | { kind: "null" }
  | { kind: "scalar"; type: ScalarType }
  | { kind: "array"; items: Shape }
  | {
      kind: "object";
      fields: ReadonlyMap<string, ShapeField>;
      /** What fields without a declaration can be; null if there are none, so that the object is closed. */
      rest: Shape | null;
      /** True if Signalbox builds the object, so that it certainly has no other fields, whatever a service sends. */
      isOurs?: true;
    }
  | { kind: "union"; members: readonly Shape[] };

export type ObjectShape = Extract<Shape, { kind: "object" }>;

export const UNKNOWN: Shape = { kind: "unknown" };
export const NULL: Shape = { kind: "null" };
export const ANY_OBJECT: Shape = { kind: "object", fields: new Map(), rest: UNKNOWN };

export function scalar(type: ScalarType): Shape {
  return { kind: "scalar", type };
}

export function listShape(items: Shape): Shape {
  return { kind: "array", items };
}

/** Returns the shape of any value with this type; unknown without a type. */
export function shapeOfType(type: PropertyType | null, items: PropertyType | null = null): Shape {
  if (type === null) return UNKNOWN;
  if (type === "object") return ANY_OBJECT;
  return type === "array" ? listShape(shapeOfType(items)) : scalar(type);
}

type FieldSpec = readonly [name: string, shape: Shape, description?: string];

/** Returns an object that has exactly these fields. If a name occurs twice, the first one counts. */
export function closedObject(...fields: readonly FieldSpec[]): ObjectShape {
  const known = new Map<string, ShapeField>();
  for (const [name, shape, description = ""] of fields) {
    if (!known.has(name)) known.set(name, { shape, isOptional: false, description });
  }
  return { kind: "object", fields: known, rest: null };
}

/** A value with more alternatives is unknown, so that templates of templates cannot multiply them without end. */
const MEMBERS_MAX = 20;

/** Returns what one of several values is. Unknown if one of them is unknown. */
export function unionShape(members: Iterable<Shape>): Shape {
  const flat = new Map<Shape | string, Shape>();
  for (const member of members) {
    for (const one of membersOf(member)) {
      flat.set(one.kind === "scalar" ? one.type : one.kind === "null" ? one.kind : one, one);
      if (one.kind === "unknown" || flat.size > MEMBERS_MAX) return UNKNOWN;
    }
  }
  const [first, ...others] = flat.values();
  if (first === undefined) return UNKNOWN;
  return others.length === 0 ? first : { kind: "union", members: [first, ...others] };
}

/** Returns the alternatives of a value; a union never contains another one. */
export function membersOf(shape: Shape): readonly Shape[] {
  return shape.kind === "union" ? shape.members : [shape];
}

/** Returns the JSON type of a value; null if it is unknown or can be one of several. Null values do not count. */
export function typeOfShape(shape: Shape): PropertyType | null {
  switch (shape.kind) {
    case "scalar":
      return shape.type;
    case "array":
    case "object":
      return shape.kind;
    case "union": {
      const types = new Set(shape.members.filter(({ kind }) => kind !== "null").map(typeOfShape));
      const [type = null] = types;
      return types.size === 1 ? type : null;
    }
    default:
      return null;
  }
}

/** Returns the shape of a constant. */
export function shapeOfValue(value: unknown): Shape {
  if (value === null || value === undefined) return NULL;
  if (Array.isArray(value)) return listShape(value.length > 100 ? UNKNOWN : unionShape(value.map(shapeOfValue)));
  if (typeof value === "string") return scalar("string");
  if (typeof value === "boolean") return scalar("boolean");
  if (typeof value === "number") return scalar(Number.isInteger(value) ? "integer" : "number");
  return typeof value === "object"
    ? closedObject(...Object.entries(value).map(([name, item]) => [name, shapeOfValue(item)] as const))
    : UNKNOWN;
}
