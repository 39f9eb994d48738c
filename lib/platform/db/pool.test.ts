import { expect, test } from "vitest";
import { connectionOptions } from "#lib/platform/db/connection-options";
import { createPool } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

test("a connection whose query timed out is not given to the next caller", async () => {
  const connection = connectionOptions(process.env.DATABASE_URL ?? "");
  const pool = createPool({ ...connection, max: 1, query_timeout: 30_000 });
  try {
    const client = await pool.connect();
    // Only this query is to time out. As the pool's limit, 300 ms would also end a query that a busy machine delays.
    const slow = { text: "select pg_sleep(60)", query_timeout: 300 };
    await expect(client.query(slow)).rejects.toThrow("Query read timeout");
    // Like a library that knows nothing of the pool.
    client.release();
    const { rows } = await pool.query("select 1 as one");
    expect(rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.end();
  }
});

test("losing a connection between two statements of a transaction ends the transaction, not the process", async () => {
  const pool = createPool({ ...connectionOptions(process.env.DATABASE_URL ?? ""), max: 2, query_timeout: 5_000 });
  try {
    const client = await pool.connect();
    const { rows } = await client.query("select pg_backend_pid() as pid");
    const lost = new Promise((resolve) => client.once("end", resolve));
    await pool.query("select pg_terminate_backend($1)", [rows[0].pid]);
    await lost;
    await expect(client.query("select 1")).rejects.toThrow();
    client.release(true);
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.end();
  }
});
