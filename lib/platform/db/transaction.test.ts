import { describe, expect, test } from "vitest";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { repeatableTransaction } from "#lib/platform/db/transaction";

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
