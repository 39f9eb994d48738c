import type pg from "pg";
import { expect, test } from "vitest";
import { connectionOptions } from "#lib/platform/db/connection-options";
import { defineStatement } from "#lib/platform/db/define-statement";
import { keepConnections, untilConnectionsKept } from "#lib/platform/db/keep-connections";
import { createPool } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { eventually } from "#lib/support/eventually.fixture";

useTestDatabase();

const KEPT = 2;

async function withPool(work: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const connection = connectionOptions(process.env.DATABASE_URL ?? "");
  const pool = createPool({ ...connection, max: 5, idleTimeoutMillis: 1, query_timeout: 30_000 });
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
}

/** Uses this many connections at once. */
async function pidsOf(pool: pg.Pool, count: number): Promise<number[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
  const pids = clients.map(async (client) => {
    const { rows } = await client.query("select pg_backend_pid() as pid");
    return Number(rows[0].pid);
  });
  return Promise.all(pids).finally(() => {
    for (const client of clients) client.release();
  });
}

test("a pool keeps the wanted connections open, and closes the others", async () => {
  await withPool(async (pool) => {
    await keepConnections(pool, KEPT)();
    expect(pool.idleCount).toBe(KEPT);
    await pidsOf(pool, 5);
    await eventually(() => expect(pool.totalCount).toBe(KEPT));
    const kept = await pidsOf(pool, KEPT);
    expect((await pidsOf(pool, KEPT)).toSorted()).toEqual(kept.toSorted());
  });
});

test("a kept connection that was lost is replaced", async () => {
  await withPool(async (pool) => {
    await keepConnections(pool, KEPT)();
    const before = await pidsOf(pool, KEPT);
    let isLost = false;
    pool.once("remove", () => {
      isLost = true;
    });
    await pool.query("select pg_terminate_backend(pid) from unnest($1::int[]) pid where pid <> pg_backend_pid()", [
      before,
    ]);
    await eventually(() => expect([isLost, pool.idleCount]).toEqual([true, KEPT]));
    expect((await pidsOf(pool, KEPT)).filter((pid) => before.includes(pid))).toHaveLength(1);
  });
});

test("each kept connection executes the statements of hot paths once", async () => {
  defineStatement({ name: "warm_example", sql: "select 1", warmUp: {} });
  await withPool(async (pool) => {
    const visit = keepConnections(pool, KEPT);
    await untilConnectionsKept();
    await visit();
    const clients = await Promise.all(Array.from({ length: KEPT }, () => pool.connect()));
    try {
      for (const client of clients) {
        const { rows } = await client.query(
          "select generic_plans + custom_plans as executions from pg_prepared_statements where name = 'warm_example'",
        );
        expect(rows).toEqual([{ executions: 1 }]);
      }
    } finally {
      for (const client of clients) client.release();
    }
  });
});

test("without a database, nothing is prepared and no one fails", async () => {
  const pool = createPool({ ...connectionOptions("postgres://none@127.0.0.1:1/none"), query_timeout: 1_000 });
  await keepConnections(pool, KEPT)();
  expect(pool.totalCount).toBe(0);
  await pool.end();
});
