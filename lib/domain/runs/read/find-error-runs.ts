import { exampleRequests } from "#lib/domain/runs/read/example-requests";
import { checkStatus, filterRuns, RUNS_PARAMS, type RunsRequest, runsValues } from "#lib/domain/runs/read/run-filters";
import { array, integer, nullable, pgType, type RowOf, uuid } from "#lib/platform/db/column-types";
import { defineVariants, type ParamPlace } from "#lib/platform/db/define-statement";
import type { Db } from "#lib/platform/db/pool";

export interface ErrorSearch {
  request: RunsRequest;
  /** The tsquery that `errorQuery` returns. */
  words: string;
  /** How many runs to return. */
  limit: number;
}

const FOUND = {
  /** In the requested order, up to the limit. */
  ids: array(uuid),
  /** How many errors were read. */
  seen: integer,
  /** How many of them contain the words, whatever the other conditions are. */
  spoken: integer,
};
type Found = RowOf<typeof FOUND>;

/** The first window, in errors per requested run: words that a quarter of the errors contain fill the page at once. */
const FIRST_WINDOW = 4;
const LATER_WINDOW = 100;
const GROWTH = 4;
/**
 * This many hits in the first window are no coincidence. They predict the size of the second window, plus half of it.
 */
const TELLING = 3;
const MARGIN = 1.5;
/** PostgreSQL's statistics know words as common if one in this many errors contains them. */
const COMMON = 10;
/** The most errors gathered from all over the table: errors that lie together are read ten times as fast. */
const GATHERED_MAX = 1_000;

/**
 * Returns the runs whose errors contain words, in the order of a list. No plan suits all words: by time, a rare word
 * means reading every error; by the index of words, a common word means gathering and sorting most of them. PostgreSQL
 * chooses by statistics, which know only common words. So the search tries plans in turn: a window of the errors that
 * come first in the list; a longer window if enough of them matched; PostgreSQL's own plan if the words are common and
 * the other conditions are rare; otherwise the index of words, and if that finds too many, growing windows.
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

const PARAMS = { ...RUNS_PARAMS, words: pgType<string>("tsquery"), limit: integer, window: integer };

/** Returns the conditions of a search, those on the words separately. */
function conditionsOf(request: RunsRequest, place: ParamPlace<typeof PARAMS>) {
  const { range, rest } = filterRuns(request, place);
  rest.push(...checkStatus(request, place));
  if (request.time !== undefined) rest.push(`r.workflow_version_id = ${place("versionId")}`);
  return { range, rest, hasWords: `r.error_words @@ ${place("words")}::tsquery` };
}

const sortOf = ({ order }: RunsRequest) => `r.created_at ${order}, r.id ${order}`;

function valuesOf({ request, words, limit }: ErrorSearch, window: number) {
  return { ...runsValues(request), words, limit, window };
}

const selectWindow = defineVariants({
  name: "search_window_of_errors",
  params: PARAMS,
  row: { seen: FOUND.seen, spoken: FOUND.spoken, ids: FOUND.ids },
  sql: (request: RunsRequest, place) => {
    const { range, rest, hasWords } = conditionsOf(request, place);
    const sort = sortOf(request);
    return `select count(*)::int as seen, count(*) filter (where ${hasWords})::int as spoken,
        coalesce((array_agg(r.id order by ${sort}) filter (where ${[hasWords, ...rest].join(" and ")}))[1:${place("limit")}::int],
          '{}') as ids
      from (select r.* from runs r where ${range.join(" and ")} and r.error_words is not null
        order by ${sort} limit ${place("window")}::int) r`;
  },
  examples: exampleRequests,
});

/** Searches this many of the workspace's errors, in the order of the list. */
async function readWindow(on: Db, search: ErrorSearch, window: number): Promise<Found> {
  const [found] = await selectWindow.all(on, search.request, valuesOf(search, window));
  return found ?? { ids: [], seen: 0, spoken: 0 };
}

const selectOn = defineVariants({
  name: "search_errors_until_enough",
  params: PARAMS,
  row: { id: uuid },
  sql: (request: RunsRequest, place) => {
    const { range, rest, hasWords } = conditionsOf(request, place);
    const sort = `order by ${sortOf(request)}`;
    return `select r.id from (select r.* from runs r where ${range.join(" and ")} and r.error_words is not null
        ${sort} limit ${place("window")}::int) r
      where ${[hasWords, ...rest].join(" and ")} ${sort} limit ${place("limit")}::int`;
  },
  examples: exampleRequests,
});

/** Searches like readWindow, but stops when it has found enough. */
async function readOn(on: Db, search: ErrorSearch, window: number): Promise<string[]> {
  const rows = await selectOn.all(on, search.request, valuesOf(search, window));
  return rows.map((row) => row.id);
}

const selectGathered = defineVariants({
  name: "search_errors_by_words",
  params: PARAMS,
  row: { ids: nullable(array(uuid)) },
  // In a CTE: an order or a limit would lead PostgreSQL to another index.
  sql: (request: RunsRequest, place) => {
    const { range, rest, hasWords } = conditionsOf(request, place);
    const window = `${place("window")}::int`;
    return `with hits as materialized (select r.id, r.created_at from runs r
        where ${[...range, hasWords, ...rest].join(" and ")})
      select case when count(*) < ${window} then
          coalesce((array_agg(r.id order by ${sortOf(request)}))[1:${place("limit")}::int], '{}') end as ids
      from (select * from hits limit ${window}) r`;
  },
  examples: exampleRequests,
});

/** Searches by the index of words. Returns null if it finds too many. */
async function gather(on: Db, search: ErrorSearch): Promise<string[] | null> {
  const [gathered] = await selectGathered.all(on, search.request, valuesOf(search, GATHERED_MAX));
  return gathered?.ids ?? null;
}

const selectPlanned = defineVariants({
  name: "search_errors_as_planned",
  params: PARAMS,
  row: { id: uuid },
  sql: (request: RunsRequest, place) => {
    const { range, rest, hasWords } = conditionsOf(request, place);
    const where = [...range, hasWords, ...rest].join(" and ");
    return `select r.id from runs r where ${where} order by ${sortOf(request)} limit ${place("limit")}::int`;
  },
  examples: exampleRequests,
});

async function readPlanned(on: Db, search: ErrorSearch): Promise<string[]> {
  const rows = await selectPlanned.all(on, search.request, valuesOf(search, 0));
  return rows.map((row) => row.id);
}
