import { z } from "zod";
import { named } from "#lib/contract/schemas/wire-names";

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
