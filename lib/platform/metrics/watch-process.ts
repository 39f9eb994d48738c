import type { PoolClient } from "pg";
import { db } from "#lib/platform/db/pool";
import { observeDatabaseWait } from "#lib/platform/metrics/counters";
import { type OnTurn, watchEventLoop } from "#lib/platform/metrics/watch-event-loop";

/** Measures how late the turns of this process are, and its waits for a connection. */
export function watchProcess(kind: "web" | "worker", onTurn?: OnTurn): void {
  watchEventLoop(kind, onTurn);
  watchDatabaseWaits(kind);
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: PoolClient["release"]) => void;

/**
 * Measures how long work waits for a connection of this process's pool, for `signalbox_database_wait_seconds`. Work that
 * finds a connection, or may open one, is not measured and costs nothing.
 */
export function watchDatabaseWaits(process: "web" | "worker"): void {
  const pool = db();
  const isExhausted = () => pool.idleCount === 0 && pool.totalCount >= pool.options.max;
  pool.connect = new Proxy(pool.connect, {
    apply: (connect, _self, [connected]: [Connected?]) => {
      if (!isExhausted()) return Reflect.apply(connect, pool, connected ? [connected] : []);
      const startedMs = performance.now();
      const observe = () => observeDatabaseWait(process, performance.now() - startedMs);
      if (!connected) return (Reflect.apply(connect, pool, []) as unknown as Promise<PoolClient>).finally(observe);
      const observed: Connected = (...result) => {
        observe();
        connected(...result);
      };
      return Reflect.apply(connect, pool, [observed]);
    },
  });
}
