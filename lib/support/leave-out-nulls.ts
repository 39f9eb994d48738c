import { z } from "zod";
import { isJsonObject } from "#lib/support/json";

/**
 * Returns the value without the keys that are null where its schema allows a key to be missing but not to be null: model
 * providers in strict mode send null for every argument that they have no value for. A null that the schema allows, a null
 * for a required key, and everything inside free-form JSON stay. Returns the same reference if nothing is left out.
 */
export function leaveOutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const inner = innerOf(schema);
  if (inner !== null) return leaveOutNulls(inner, value);
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? mapSame(value, schema.element) : value;
  if (schema instanceof z.ZodIntersection) {
    return leaveOutNulls(schema.def.right, leaveOutNulls(schema.def.left, value));
  }
  if (schema instanceof z.ZodUnion) return leaveOutOfUnion(schema, value);
  return schema instanceof z.ZodObject && isJsonObject(value) ? leaveOutOfObject(schema, value) : value;
}

/**
 * Parses a value that someone wrote, in which null may stand for an optional key without a value. Where a map allows no
 * null, the message says what to do.
 */
export function parseGiven<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  params?: z.core.ParseContext<z.core.$ZodIssue>,
): z.ZodSafeParseResult<z.output<Schema>> {
  const given = leaveOutNulls(schema, value);
  const parsed = schema.safeParse(given, params);
  for (const issue of parsed.error?.issues ?? []) {
    if (isNullInMap(schema, given, issue.path)) Object.assign(issue, { message: "must not be null; leave it out" });
  }
  return parsed;
}

/** A map can have any keys, so one without a value need not be there. */
function isNullInMap(schema: z.core.$ZodType, value: unknown, [key, ...rest]: readonly PropertyKey[]): boolean {
  if (key === undefined || typeof value !== "object" || value === null) return false;
  const inner = innerOf(schema);
  if (inner !== null) return isNullInMap(inner, value, [key, ...rest]);
  const item: unknown = Reflect.get(value, key);
  if (schema instanceof z.ZodRecord) {
    return rest.length === 0 ? item === null : isNullInMap(schema.valueType, item, rest);
  }
  if (schema instanceof z.ZodArray) return isNullInMap(schema.element, item, rest);
  if (schema instanceof z.ZodIntersection) {
    return [schema.def.left, schema.def.right].some((part) => isNullInMap(part, value, [key, ...rest]));
  }
  if (schema instanceof z.ZodUnion) return schema.def.options.some((part) => isNullInMap(part, value, [key, ...rest]));
  const field = schema instanceof z.ZodObject ? schema.shape[String(key)] : undefined;
  return field !== undefined && isNullInMap(field, item, rest);
}

function mapSame(items: readonly unknown[], element: z.core.$ZodType): readonly unknown[] {
  const mapped = items.map((item) => leaveOutNulls(element, item));
  return mapped.every((item, index) => item === items[index]) ? items : mapped;
}

function leaveOutOfObject({ shape }: z.ZodObject, value: Record<string, unknown>): Record<string, unknown> {
  let changed: Record<string, unknown> | null = null;
  for (const [key, field] of Object.entries<z.core.$ZodType>(shape)) {
    if (!Object.hasOwn(value, key)) continue;
    const given = value[key];
    if (given === null) {
      if (!canBeMissing(field) || acceptsNull(field)) continue;
      changed ??= { ...value };
      Reflect.deleteProperty(changed, key);
      continue;
    }
    const read = leaveOutNulls(field, given);
    if (read === given) continue;
    changed ??= { ...value };
    changed[key] = read;
  }
  return changed ?? value;
}

/** Reads the value as the alternative that it is meant for: the one that it names, or the first one that fits then. */
function leaveOutOfUnion(union: z.ZodUnion, value: object): unknown {
  const options = union.def.options.map((option) => ({ option, read: leaveOutNulls(option, value) }));
  if (union instanceof z.ZodDiscriminatedUnion) {
    const key = union.def.discriminator;
    const name = (value as Record<string, unknown>)[key];
    // null names the alternative that needs no name, if there is one.
    const named =
      options.find(({ option }) => isNamed(option, key, name)) ??
      options.find(({ option }) => name === null && isNamed(option, key, undefined));
    return named ? named.read : value;
  }
  const fitting = options.find(({ option, read }) => z.safeParse(option, read).success);
  return fitting ? fitting.read : value;
}

function isNamed(option: z.core.$ZodType, key: string, name: unknown): boolean {
  return option._zod.propValues?.[key]?.has(name as z.core.util.Primitive) ?? false;
}

/** Returns the schema inside one that only wraps it; null for all others. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodLazy
  ) {
    return schema.unwrap();
  }
  if (!(schema instanceof z.ZodPipe)) return null;
  return schema.in instanceof z.ZodTransform ? schema.out : schema.in;
}

function canBeMissing(schema: z.core.$ZodType): boolean {
  return schema._zod.optin !== undefined;
}

/** A coerced number would read null as 0, so the schema is asked, and not a value tried. */
function acceptsNull(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodNull) return true;
  if (schema instanceof z.ZodAny || schema instanceof z.ZodUnknown || schema instanceof z.ZodTransform) return true;
  if (schema instanceof z.ZodUnion) return schema.def.options.some(acceptsNull);
  if (schema instanceof z.ZodLiteral) return schema.values.has(null);
  if (schema instanceof z.ZodCustom) return z.safeParse(schema, null).success;
  const inner = innerOf(schema);
  return inner !== null && acceptsNull(inner);
}
