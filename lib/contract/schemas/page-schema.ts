import { z } from "zod";
import { named } from "#lib/contract/schemas/wire-names";

/** decisions, Lists: the envelope of every list. */
export function wirePageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe("cursor of the next page."),
  });
}

/** The answer of an operation that lists everything at once. */
export function wireListOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item) });
}

/** A page under its name in the OpenAPI document. */
export function pageSchema<Item extends z.ZodType>(id: string, item: Item) {
  return named(id, wirePageOf(item).describe("One page of a list."));
}
