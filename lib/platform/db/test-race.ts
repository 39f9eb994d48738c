import { expect } from "vitest";
import { db } from "#lib/platform/db/pool";
import { eventually } from "#lib/support/eventually.fixture";

/**
 * Runs the works at the same moment, for tests of races: a transaction of the test holds a lock that all of them need,
 * and releases it once every one of them waits in the database.
 * @param lock SQL that takes the lock
 */
export async function raceBehindLock<T>(
  lock: { text: string; values?: unknown[] },
  works: (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const holder = await db().connect();
  try {
    await holder.query("begin");
    await holder.query(lock.text, lock.values);
    const results = Promise.allSettled(works.map((work) => work()));
    await eventually(async () => expect(await waiting()).toBe(works.length));
    await holder.query("rollback");
    return await results;
  } finally {
    holder.release(true);
  }
}

/** All calls of a group find a free connection, however busy the machine is. */
const GROUP = 5;

/**
 * Does the work for each item, a group of items at a time, for tests of many races. If all of it ran at once, calls on a
 * busy machine would wait for a connection for longer than the pool allows.
 * @param work uses at most two connections at the same moment
 * @returns the results in the order of the items
 */
export async function workInGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += GROUP) {
    results.push(...(await Promise.all(items.slice(start, start + GROUP).map(work))));
  }
  return results;
}

async function waiting(): Promise<number> {
  const { rows } = await db().query<{ count: number }>(
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.count ?? 0;
}
