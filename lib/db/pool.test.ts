import { expect, test } from "vitest";
import { connectionOptions, createPool } from "#lib/db/pool";
import { useTestDatabase } from "#lib/db/test-database";

useTestDatabase();

test("a connection whose query was given up is not given to the next", async () => {
  const connection = connectionOptions(process.env.DATABASE_URL ?? "");
  const pool = createPool({ ...connection, max: 1, query_timeout: 300 });
  try {
    const client = await pool.connect();
    await expect(client.query("select pg_sleep(60)")).rejects.toThrow("timeout");
    // As a library does that knows nothing of it.
    client.release();
    const { rows } = await pool.query("select 1 as one");
    expect(rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.end();
  }
});
