import { z } from "zod";

/** The names under which schemas are listed in the OpenAPI document. A schema without a name is inlined. */
export const WIRE_NAMES = z.registry<{ id: string }>();

export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  WIRE_NAMES.add(schema, { id });
  return schema;
}
