import type { RunConditions } from "#lib/domain/runs/read/run-filters";
import type { Db } from "#lib/platform/db/pool";

export interface ErrorSearch {
  /** The tsquery of `errorQuery`. */
  words: string;
  conditions: RunConditions;
  order: "asc" | "desc";
  /** How many runs are wanted. */
  limit: number;
}

interface Found {
  /** In the order asked for, `limit` at most. */
  ids: string[];
  /** How many errors were looked at. */
  seen: number;
  /** How many of them have the words, whatever else is asked for. */
  spoken: number;
}

/** Errors, times what is wanted: words that a quarter of the errors have fill the page at once. */
const FIRST_WINDOW = 4;
const LATER_WINDOW = 100;
const GROWTH = 4;
/** So many in the first window are no accident, and let expect how long the second has to be, and half as long again. */
const TELLING = 3;
const MARGIN = 1.5;
/** Words that one error in so many has are known to PostgreSQL as common. */
const COMMON = 10;
/** No more are gathered from all over the table: errors that lie together are read ten times as fast. */
const GATHERED_MAX = 1_000;

/**
 * The runs in whose errors words occur, in the order of a list. No way to them is good for all words: by time, a rare word
 * means to read every error; by the words' index, a common one means to gather and sort most of them. PostgreSQL chooses by
 * statistics, which know common words alone. So it is found out: a window of the errors that come first in the list; a
 * longer one when enough of them matched; when the words are common and it is the other conditions that are rare, the way
 * that PostgreSQL chooses; else the words' index, and where it has too many, windows that grow.
 */
export async function findErrorRuns(on: Db, search: ErrorSearch): Promise<string[]> {
  const isWhole = ({ ids, seen }: Found, window: number) => ids.length >= search.limit || seen < window;
  const first = FIRST_WINDOW * search.limit;
  const found = await readWindow(on, search, first);
  if (isWhole(found, first)) return found.ids;
  if (found.ids.length >= TELLING) {
    const ids = await readOn(on, search, Math.ceil((MARGIN * first * search.limit) / found.ids.length));
    if (ids.length >= search.limit) return ids;
  }
  if (found.spoken * COMMON >= found.seen) return readPlanned(on, search);
  const gathered = await gather(on, search);
  if (gathered !== null) return gathered;
  for (let window = LATER_WINDOW * search.limit; ; window *= GROWTH) {
    const later = await readWindow(on, search, window);
    if (isWhole(later, window)) return later.ids;
  }
}

/** Among so many errors of the workspace, first in the order of the list. */
async function readWindow(on: Db, { words, conditions, order, limit }: ErrorSearch, window: number): Promise<Found> {
  const { range, rest } = conditions;
  const { values, ofWords, ofLimit, ofMore } = placesOf(conditions, words, limit, window);
  const sort = `r.created_at ${order}, r.id ${order}`;
  const hasWords = `r.error_words @@ ${ofWords}::tsquery`;
  const { rows } = await on.query<Found>({
    text: `select count(*)::int as seen, count(*) filter (where ${hasWords})::int as spoken,
        coalesce((array_agg(r.id order by ${sort}) filter (where ${[hasWords, ...rest].join(" and ")}))[1:${ofLimit}], '{}')
          as ids
      from (select r.* from runs r where ${range.join(" and ")} and r.error_words is not null
        order by ${sort} limit ${ofMore}) r`,
    values,
  });
  return rows[0] ?? { ids: [], seen: 0, spoken: 0 };
}

/** As readWindow, but only until there are enough. */
async function readOn(on: Db, { words, conditions, order, limit }: ErrorSearch, window: number): Promise<string[]> {
  const { range, rest } = conditions;
  const { values, ofWords, ofLimit, ofMore } = placesOf(conditions, words, limit, window);
  const sort = `order by r.created_at ${order}, r.id ${order}`;
  const { rows } = await on.query<{ id: string }>({
    text: `select r.id from (select r.* from runs r where ${range.join(" and ")} and r.error_words is not null
        ${sort} limit ${ofMore}) r
      where ${[`r.error_words @@ ${ofWords}::tsquery`, ...rest].join(" and ")} ${sort} limit ${ofLimit}`,
    values,
  });
  return rows.map((row) => row.id);
}

/** By the words' index; null when it has too many. In a CTE: an order or a limit would lead PostgreSQL to another index. */
async function gather(on: Db, { words, conditions, order, limit }: ErrorSearch): Promise<string[] | null> {
  const { range, rest } = conditions;
  const { values, ofWords, ofLimit, ofMore } = placesOf(conditions, words, limit, GATHERED_MAX);
  const { rows } = await on.query<{ ids: string[] | null }>({
    text: `with hits as materialized (select r.id, r.created_at from runs r
        where ${[...range, `r.error_words @@ ${ofWords}::tsquery`, ...rest].join(" and ")})
      select case when count(*) < ${ofMore} then
          coalesce((array_agg(r.id order by r.created_at ${order}, r.id ${order}))[1:${ofLimit}], '{}') end as ids
      from (select * from hits limit ${ofMore}) r`,
    values,
  });
  return rows[0]?.ids ?? null;
}

async function readPlanned(on: Db, { words, conditions, order, limit }: ErrorSearch): Promise<string[]> {
  const { range, rest } = conditions;
  const values = [...conditions.values, words, limit];
  const where = [...range, `r.error_words @@ $${values.length - 1}::tsquery`, ...rest].join(" and ");
  const { rows } = await on.query<{ id: string }>({
    text: `select r.id from runs r where ${where} order by r.created_at ${order}, r.id ${order} limit $${values.length}`,
    values,
  });
  return rows.map((row) => row.id);
}

function placesOf(conditions: RunConditions, words: string, limit: number, more: number) {
  const values = [...conditions.values, words, limit, more];
  const last = values.length;
  return { values, ofWords: `$${last - 2}`, ofLimit: `$${last - 1}::int`, ofMore: `$${last}::int` };
}
