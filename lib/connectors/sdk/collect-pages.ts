import { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { LIMITS } from "#lib/contract/limits";

const ITEMS_MAX = 1_000;
/** After it no further page is begun: what is there by then is answered before the step's time is over. */
const BEGIN_WITHIN_MS = 20_000;
/** A step's output, less what surrounds the items. */
const BYTES_MAX = LIMITS.stepOutputBytes - 16_384;

/** The parameter of an operation that can follow pages by itself; without it the operation gives one page. */
export const maxItems = z.coerce
  .number()
  .int()
  .min(1)
  .max(ITEMS_MAX)
  .nullish()
  .meta({ title: "All pages, up to", description: "How many items in all, 1,000 at most. One page when left empty." });

/** The same where the service's pages cannot be of any size: `pages` says of which, such as "pages of 50". */
export function maxItemsIn(pages: string): typeof maxItems {
  return maxItems.meta({
    title: "All pages, up to",
    description: `How many items in all, 1,000 at most; rounded up to whole ${pages}. One page when left empty.`,
  });
}

interface FetchedPage<Item, Cursor> {
  items: readonly Item[];
  /** Of the next page; null on the last. */
  next: Cursor | null;
}

interface Collected<Item, Cursor> {
  items: Item[];
  /** Where whoever wants the rest goes on, always further than the first page; null when nothing is left. */
  next: Cursor | null;
}

interface CollectOptions<Cursor> {
  limit: number;
  /** Of the first page. */
  from: Cursor;
}

/**
 * Follows pages until there are `limit` items, no more pages, as many bytes as a step may give, or no time for another.
 * A page is taken whole, even where it goes beyond the limit: a cursor leads to a page, not into one, so that what a cut
 * left out could only be asked for together with what was given already. A service that names a page again is not asked
 * for it twice.
 * @param fetchPage `wanted` is how many items are still missing, for services whose pages can be of any size
 * @throws StepError of any page, such as RATE_LIMITED with what the service says about waiting
 */
export async function collectPages<Item, Cursor>(
  { signal, now }: Pick<ServiceContext, "signal" | "now">,
  { limit, from }: CollectOptions<Cursor>,
  fetchPage: (cursor: Cursor, wanted: number) => Promise<FetchedPage<Item, Cursor>>,
): Promise<Collected<Item, Cursor>> {
  const deadlineMs = now().getTime() + BEGIN_WITHIN_MS;
  const items: Item[] = [];
  const seen = new Set<Cursor>();
  let next: Cursor | null = from;
  let bytes = 0;
  while (next !== null && !seen.has(next)) {
    const isFirst: boolean = seen.size === 0;
    if (items.length >= limit || (!isFirst && now().getTime() >= deadlineMs)) return { items, next };
    signal.throwIfAborted();
    seen.add(next);
    const page: FetchedPage<Item, Cursor> = await fetchPage(next, limit - items.length);
    bytes += Buffer.byteLength(JSON.stringify(page.items));
    if (!isFirst && bytes > BYTES_MAX) return { items, next };
    items.push(...page.items);
    next = page.next;
  }
  return { items, next: null };
}
