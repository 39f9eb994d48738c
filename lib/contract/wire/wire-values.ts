import { z } from "zod";

/** A time on the wire: ISO 8601 in UTC with milliseconds. */
export const momentSchema = z.iso.datetime({ precision: 3 }).describe("UTC, with milliseconds.");
export const jsonObjectSchema = z.record(z.string(), z.unknown());
export const countSchema = z.int().nonnegative();

/** The names under which schemas are listed in the OpenAPI document. A schema without a name is inlined. */
export const WIRE_NAMES = z.registry<{ id: string }>();

export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  WIRE_NAMES.add(schema, { id });
  return schema;
}

/** decisions, Lists: the envelope of every list. */
export function wirePageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe("The cursor of the next page."),
  });
}

/** The response of an operation that lists everything at once. */
export function wireListOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item) });
}

/** Adds a page under its name to the OpenAPI document. */
export function pageSchema<Item extends z.ZodType>(id: string, item: Item) {
  return named(id, wirePageOf(item).describe("A page of a list."));
}
