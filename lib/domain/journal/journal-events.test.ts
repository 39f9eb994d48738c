import { expect, test } from "vitest";
import { db, transaction } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();

/** Explains a statement whose only value is the id of a run from now, without the plans of small tables. */
async function explain(sql: string): Promise<string> {
  const { rows } = await db().query("select new_uuidv7() as id");
  const plan = await transaction(async (tx) => {
    await tx.query({ text: "set local enable_seqscan = off" });
    await tx.query({ text: "set local enable_bitmapscan = off" });
    return tx.query({ text: `explain (costs off) ${sql.replaceAll("$1", `'${rows[0].id}'::uuid`)}` });
  });
  return plan.rows.map((row) => row["QUERY PLAN"]).join("\n");
}

test("a page of a journal reads a range of one index, and one partition of each table", async () => {
  const plan = await explain("select * from journal_events($1) where seq > 5 order by seq limit 10");
  expect(plan).toContain("Merge Append");
  expect(
    plan
      .match(/ on (execution_events|journal_ends)_\w+/g)
      ?.map((found) => found.slice(4, -8))
      .sort(),
  ).toEqual(["execution_events", "journal_ends"]);
  expect(plan).toMatch(/Index Cond: \(\(run_id = '[^']+'::uuid\) AND \(seq > 5\)\)/);
});

test("journals of many runs are found by the index of each table", async () => {
  const plan = await explain("select count(*) from unnest(array[$1]) id cross join lateral journal_events(id)");
  expect(plan).not.toContain("Function Scan on journal_events");
  expect(plan).toMatch(/journal_ends_\w+_pkey[^\n]*\n *Index Cond: \(run_id = /);
  expect(plan).not.toContain("Seq Scan");
});
