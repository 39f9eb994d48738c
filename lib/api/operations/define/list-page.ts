import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";

/** decisions, Lists: `limit` and `cursor` of every list. Query parameters arrive as text, hence the coercion. */
export const pageInput = {
  limit: z.coerce
    .number<number | string>()
    .int()
    .min(1)
    .max(LIMITS.pageSizeMax)
    .default(LIMITS.pageSizeDefault)
    .describe("Items per page."),
  cursor: z.string().max(500).optional().describe("next_cursor of the page before, with the same filters."),
};

/** decisions, Lists. */
export const orderInput = z.enum(["asc", "desc"]).default("desc").describe("By creation; newest first by default.");
