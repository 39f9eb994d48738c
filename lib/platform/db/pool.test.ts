import { describe, expect, test } from "vitest";
import { connectionOptions } from "#lib/platform/db/connection-options";
import { createPool, db, repeatableTransaction } from "#lib/platform/db/pool";
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

useTestDatabase();

const raise = (code: string) => ({ text: `do $$ begin raise exception 'test' using errcode = '${code}'; end $$` });

describe("a repeatable transaction", () => {
  test("is repeated after a deadlock, and keeps nothing of the first attempt", async () => {
    let times = 0;
    const answer = await repeatableTransaction(async (tx) => {
      times += 1;
      await tx.query({ text: "insert into instance_settings values ($1, '1')", values: [`time ${times}`] });
      if (times < 3) await tx.query(raise("40P01"));
      return times;
    });
    expect(answer).toBe(3);
    const { rows } = await db().query("select name from instance_settings where name like 'time %'");
    expect(rows).toEqual([{ name: "time 3" }]);
  });

  test.each([
    ["40P01", 3],
    ["23505", 1],
    ["57014", 1],
  ])("abandons %s after %d", async (code, expected) => {
    let times = 0;
    const work = repeatableTransaction(async (tx) => {
      times += 1;
      await tx.query(raise(code));
    });
    await expect(work).rejects.toMatchObject({ code });
    expect(times).toBe(expected);
  });

  test("is repeated if the deadlock is the cause of an error that names the work", async () => {
    let times = 0;
    const answer = await repeatableTransaction(async (tx) => {
      times += 1;
      if (times > 1) return times;
      return tx
        .query(raise("40P01"))
        .catch((error) => Promise.reject(new Error("function f failed", { cause: error })));
    });
    expect(answer).toBe(2);
  });
});
