import { z } from "zod";
import { isJsonObject } from "#lib/support/json";

/** A key that a schema does not know, and the keys that are known at its place. */
export interface UnknownKey {
  path: string[];
  known: readonly string[];
}

/**
 * Lists the keys of a value, at any depth, that its schema would drop or refuse. Where the schema accepts any key, or
 * where it is not certain which alternative of a union is meant, nothing is listed.
 */
export function listUnknownKeys(schema: z.core.$ZodType, value: unknown, path: readonly string[] = []): UnknownKey[] {
  if (typeof value !== "object" || value === null) return [];
  if (isWrapper(schema)) return listUnknownKeys(schema.unwrap(), value, path);
  if (schema instanceof z.ZodPipe) {
    return listUnknownKeys(schema.in instanceof z.ZodTransform ? schema.out : schema.in, value, path);
  }
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, at) => listUnknownKeys(schema.element, item, [...path, String(at)]));
  }
  if (!isJsonObject(value)) return [];
  const keys = keysOf(schema, value);
  return keys === null ? [] : listUnknownIn(keys, value, path);
}

/** Does the same for an object. At the top, it may only have the keys that its schema names, even if others are accepted. */
export function listUnknownFields({ shape }: z.ZodObject, value: unknown): UnknownKey[] {
  return isJsonObject(value) ? listUnknownIn(shape, value, []) : [];
}

function listUnknownIn(keys: Keys, value: Record<string, unknown>, path: readonly string[]): UnknownKey[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const inner = Object.hasOwn(keys, key) ? keys[key] : undefined;
    const at = [...path, key];
    return inner === undefined ? [{ path: at, known: Object.keys(keys) }] : listUnknownKeys(inner, item, at);
  });
}

function isWrapper(schema: z.core.$ZodType) {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodLazy
  );
}

type Keys = Readonly<Record<string, z.core.$ZodType>>;

/** Returns the keys that an object may have; null if any key is allowed, or if its kind is not known. */
function keysOf(schema: z.core.$ZodType, value: Record<string, unknown>): Keys | null {
  if (schema instanceof z.ZodObject) {
    const { catchall, shape } = schema.def;
    return catchall === undefined || catchall instanceof z.ZodNever ? shape : null;
  }
  if (schema instanceof z.ZodIntersection) {
    const [left, right] = [keysOf(schema.def.left, value), keysOf(schema.def.right, value)];
    return left && right ? { ...left, ...right } : null;
  }
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return null;
  const key = schema.def.discriminator;
  const options = schema.def.options.map((option) => keysOf(option, value));
  return options.find((keys) => isFor(keys?.[key], value[key])) ?? null;
}

function isFor(schema: z.core.$ZodType | undefined, value: unknown): boolean {
  return schema instanceof z.ZodLiteral && schema.values.has(value as never);
}
