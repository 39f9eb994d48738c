import { z } from "zod";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { LIMITS } from "#lib/contract/limits";
import { numeric } from "#lib/support/numbers/numeric";

const ITEMS_MAX = 1_000;
/** No page is requested after this time, so that the step can return its items before it times out. */
const BEGIN_WITHIN_MS = 20_000;
/** The size limit of a step's output, minus room for what surrounds the items. */
const BYTES_MAX = LIMITS.stepOutputBytes - 16_384;

/** The parameter of an operation that can follow pages by itself. Without it, the operation returns one page. */
export const maxItems = numeric(z.number().int().min(1).max(ITEMS_MAX)).nullish().meta({
  title: "Maximum items",
  description: "Follows pages to return up to this many items, at most 1,000. If empty, returns one page.",
});

/** Returns the same parameter for a service with fixed page sizes, described by `pages`, such as "pages of 50". */
export function maxItemsIn(pages: string): typeof maxItems {
  return maxItems.meta({
    title: "Maximum items",
    description: `Follows pages to return up to this many items, at most 1,000, rounded up to whole ${pages}. If empty, returns one page.`,
  });
}

interface FetchedPage<Item, Cursor> {
  items: readonly Item[];
  /** The cursor of the next page; null on the last page. */
  next: Cursor | null;
}

interface Collected<Item, Cursor> {
  items: Item[];
  /** The cursor of the rest, always beyond the first page; null if nothing is left. */
  next: Cursor | null;
}

interface CollectOptions<Cursor> {
  limit: number;
  /** The cursor of the first page. */
  from: Cursor;
}

/**
 * Follows pages until there are `limit` items, there are no more pages, the output is full, or there is no time for
 * another page. A page is always taken completely, even beyond the limit: a cursor points to a page and not into one,
 * so items that were cut off could only be requested together with items already returned. A page that the service
 * names again is not requested twice.
 * @param fetchPage `wanted` is the number of items still missing, for services with flexible page sizes
 * @throws StepError of any page, such as RATE_LIMITED with the service's retry delay
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
