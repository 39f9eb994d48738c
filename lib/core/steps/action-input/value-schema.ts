import type { PropertySchema, PropertyType, ValueBounds } from "#lib/contract/wire/json-schema";
import { setOwn } from "#lib/support/json";

/** What a definition says about a value of the input: of a field, of an item of a list, or of a field inside an object. */
export interface DeclaredValue extends ValueBounds {
  type: PropertyType;
  description?: string | undefined;
  enum?: unknown[] | undefined;
  items?: DeclaredValue | undefined;
  properties?: DeclaredField[] | undefined;
}

export interface DeclaredField extends DeclaredValue {
  name: string;
  required: boolean;
}

export interface InputProperty extends DeclaredField {
  default?: unknown;
  aliases?: string[] | undefined;
}

/** Derives the JSON Schema of a value, and of everything inside it. Keys that were not given are left out. */
export function valueSchema({
  type,
  description,
  enum: values,
  items,
  properties,
  ...rest
}: DeclaredValue): PropertySchema {
  const { minLength, maxLength, pattern, minimum, maximum, minItems, maxItems } = rest;
  const bounds: ValueBounds = { minLength, maxLength, pattern, minimum, maximum, minItems, maxItems };
  const given = Object.entries(bounds).filter(([, bound]) => bound !== undefined);
  return {
    type,
    ...(description ? { description } : {}),
    ...(values ? { enum: values } : {}),
    ...Object.fromEntries(given),
    ...(items ? { items: valueSchema(items) } : {}),
    ...(properties ? objectSchema(properties) : {}),
  };
}

function objectSchema(fields: readonly DeclaredField[]): Pick<PropertySchema, "properties" | "required"> {
  const properties: Record<string, PropertySchema> = {};
  for (const field of fields) setOwn(properties, field.name, valueSchema(field));
  const required = fields.filter((field) => field.required).map((field) => field.name);
  return { properties, ...(required.length > 0 ? { required } : {}) };
}
