import type pg from "pg";
import { log } from "#lib/platform/config/log";
import { warmUps } from "#lib/platform/db/define-statement";
import { ping } from "#lib/platform/db/listen";
import { shareInProcess } from "#lib/support/share-in-process";

/** A kept connection that was dropped silently is replaced within this time, before a caller needs it. */
const VISIT_MS = 30_000;
/** After a connection has left: it may have been a prepared one, and one that stays may not be. */
const VISIT_SOON_MS = 1_000;

const keepers = shareInProcess("kept-connections", () => new Set<() => Promise<void>>());

/**
 * Keeps connections of a pool open and prepared, so that the first call after a quiet time is as fast as the others. A
 * new connection costs a process of PostgreSQL, which reads the catalogs and plans every statement again: 40 to 200 ms.
 * Each kept connection executes the statements with a `warmUp` once. A pool with more connections than these closes the
 * others after ten seconds without use.
 * @returns a function that opens and prepares the ones that are missing
 */
export function keepConnections(pool: pg.Pool, count: number): () => Promise<void> {
  const kept = Math.min(count, pool.options.max);
  pool.options.min = kept;
  const known = new WeakMap<pg.ClientBase, Set<string>>();
  const visit = async () => {
    await Promise.all(Array.from({ length: countWanted(pool, kept) }, () => visitOne(pool, known)));
  };
  const timer = setInterval(() => void visit(), VISIT_MS).unref();
  let soon: NodeJS.Timeout | undefined;
  const visitSoon = () => {
    clearTimeout(soon);
    soon = setTimeout(() => void visit(), VISIT_SOON_MS).unref();
  };
  pool.on("remove", visitSoon);
  let first: Promise<void> | undefined;
  const prepare = () => {
    first ??= visit();
    return first;
  };
  keepers.add(prepare);
  const end = pool.end.bind(pool);
  pool.end = new Proxy(pool.end, {
    apply: (_end, _self, args: Parameters<typeof pool.end>) => {
      clearInterval(timer);
      pool.off("remove", visitSoon);
      clearTimeout(soon);
      keepers.delete(prepare);
      return Reflect.apply(end, pool, args);
    },
  });
  return visit;
}

/** Resolves when this process has once opened and prepared the connections that it keeps, or could not. */
export async function untilConnectionsKept(): Promise<void> {
  await Promise.all([...keepers].map((prepare) => prepare()));
}

/** Connections in use need no visit. */
function countWanted({ totalCount, idleCount }: pg.Pool, kept: number): number {
  return Math.max(Math.min(idleCount, kept), kept - (totalCount - idleCount));
}

async function visitOne(pool: pg.Pool, known: WeakMap<pg.ClientBase, Set<string>>): Promise<void> {
  try {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      const done = known.get(client) ?? new Set();
      known.set(client, done);
      await ping(client);
      for (const [name, run] of warmUps()) {
        if (done.has(name)) continue;
        done.add(name);
        await run(client);
      }
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  } catch (error) {
    log.debug({ err: error }, "a connection could not be prepared");
  }
}
