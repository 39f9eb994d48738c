import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { numeric } from "#lib/support/numbers/numeric";

/**
 * decisions, Lists: the `limit` and `cursor` of every list. Query parameters arrive as text, so the values are coerced.
 */
export const pageInput = {
  limit: numeric(z.number().int().min(1).max(LIMITS.pageSizeMax))
    .prefault(LIMITS.pageSizeDefault)
    .describe("Items per page."),
  cursor: z.string().max(500).optional().describe("next_cursor of the previous page."),
};

/** decisions, Lists. */
export const orderInput = z
  .enum(["asc", "desc"])
  .default("desc")
  .describe("Order by creation time, newest first by default.");
