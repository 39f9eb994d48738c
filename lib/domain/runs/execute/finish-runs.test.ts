import { expect, test } from "vitest";
import { EMPTY_BATCH } from "#lib/domain/journal/append-events";
import { finishRuns } from "#lib/domain/runs/execute/finish-runs";
import { openRun } from "#lib/domain/runs/execute/lease.fixture";
import { edges, node, seedRun, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { transaction } from "#lib/platform/db/transaction";

useTestDatabase();

// One transaction can only use the room that a page has left: the rows that it replaces stay until its end.
test("the success of pure runs adds no entry to an index of runs", async () => {
  const nodes = [node("in", "action_input", { properties: [] }), node("out", "return_output", { properties: [] })];
  const workflow = await seedWorkflow(db(), { nodes, edges: edges("in>out") });
  const runIds: string[] = [];
  for (let count = 0; count < 5; count += 1) runIds.push(await seedRun(db(), workflow, { isQueued: true }));
  await transaction(async (tx) => {
    for (const runId of runIds) {
      const run = await openRun(tx, runId);
      if (!run) throw new Error("the run is not there");
      const output = { shown: JSON.stringify({ text: "Hello" }), sealed: null, servesSealed: false };
      const outcome = { status: "succeeded", output } as const;
      expect(await finishRuns(tx, [{ lease: run.lease, outcome, usedMs: 1, batch: EMPTY_BATCH }])).toEqual([true]);
    }
    const updated = "pg_stat_get_xact_tuples_updated('runs'::regclass)::int";
    const hot = "pg_stat_get_xact_tuples_hot_updated('runs'::regclass)::int";
    const { rows } = await tx.query({ text: `select ${updated} as updated, ${hot} as hot`, values: [] });
    expect(rows).toEqual([{ updated: 5, hot: 5 }]);
  });
});

test("no generated column of runs calls a function that each statement parses and plans again", async () => {
  const { rows } = await db().query<{ name: string; is_kept: boolean }>(
    `select p.proname as name, p.proconfig is not null as is_kept from pg_attrdef a
     join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = a.oid and d.refclassid = 'pg_proc'::regclass
     join pg_proc p on p.oid = d.refobjid
     where a.adrelid = 'runs'::regclass and p.pronamespace = 'public'::regnamespace`,
  );
  expect(rows).toEqual([{ name: "error_words", is_kept: true }]);
});
