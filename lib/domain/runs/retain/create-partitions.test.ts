import pg from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import { type SeededWorkflow, seedWorkflow } from "#lib/domain/runs/read/seed-run.fixture";
import { createPartitions } from "#lib/domain/runs/retain/create-partitions";
import { PARTITIONED_TABLES } from "#lib/platform/db/partitioned-tables";
import { db } from "#lib/platform/db/pool";
import { emptyTables, useTestDatabase } from "#lib/platform/db/test-database";
import { readMetrics } from "#lib/platform/metrics/read-metrics";
import { eventually } from "#lib/support/eventually.fixture";
import { migrate } from "#prisma/migrate";

useTestDatabase();

/** An id that was made `$1` days ago; negative for one that is ahead. */
const ID =
  "(left(uuid_floor(now() - make_interval(days => $1))::text, 15) || right(gen_random_uuid()::text, 21))::uuid";

let workflow: SeededWorkflow;
let subscriptionId: string;
let endpointId: string;

/** As after months without a worker: every partition but the default ones is gone. */
beforeEach(async () => {
  await emptyTables("workspaces", "audit_events", "execution_events", "journal_ends", "run_checkpoints");
  const { rows: parts } = await db().query("select part from partition_ranges()");
  for (const { part } of parts) await db().query(`drop table ${part}`);
  workflow = await seedWorkflow(db(), { nodes: [], edges: [] });
  const { rows } = await db().query(
    `insert into trigger_subscriptions (id, workspace_id, workflow_id, kind, config)
     values (gen_random_uuid(), $1, $2, 'webhook', '{}') returning id`,
    [workflow.workspaceId, workflow.workflowId],
  );
  subscriptionId = rows[0].id;
  const endpoint = await db().query(
    "insert into event_endpoints (id, workspace_id, kind, events) values (gen_random_uuid(), $1, 'email', '{}') returning id",
    [workflow.workspaceId],
  );
  endpointId = endpoint.rows[0].id;
});

/** Writes `count` rows of one moment into each table. */
async function write(daysAgo: number, count = 1): Promise<void> {
  const { workspaceId } = workflow;
  const from = "from generate_series(1, $2::int)";
  for (const [sql, ...values] of [
    [
      `execution_events (run_id, workspace_id, node_id, kind) select ${ID}, $3, 'a', 'step_started' ${from}`,
      workspaceId,
    ],
    [`journal_ends (run_id, workspace_id, seq, at, events) select ${ID}, $3, 1, now(), '[]' ${from}`, workspaceId],
    [`run_checkpoints (run_id, node_id, sealed) select ${ID}, 'a', '' ${from}`],
    [
      `trigger_deliveries (id, subscription_id, workspace_id, dedupe_key, verdict)
       select ${ID}, $3, $4, gen_random_uuid(), 'accepted' ${from}`,
      subscriptionId,
      workspaceId,
    ],
    [
      `event_deliveries (id, event_id, workspace_id, endpoint_id, type, data)
       select ${ID}, gen_random_uuid(), $3, $4, 'x', '{}' ${from}`,
      workspaceId,
      endpointId,
    ],
    [
      `audit_events (id, workspace_id, actor_type, action, object_type) select ${ID}, $3, 'system', 'x', 'y' ${from}`,
      workspaceId,
    ],
  ]) {
    await db().query(`insert into ${sql}`, [daysAgo, count, ...values]);
  }
}

/** How many rows each table has, and how many of them are in its default partition. */
async function rowsOf(table: string): Promise<{ all: number; inDefault: number }> {
  const { rows } = await db().query(
    `select (select count(*)::int from ${table}) as all, (select count(*)::int from ${table}_default) as "inDefault"`,
  );
  return rows[0];
}

async function expectRows(all: number, inDefault: number): Promise<void> {
  for (const table of PARTITIONED_TABLES) expect([table, await rowsOf(table)]).toEqual([table, { all, inDefault }]);
}

test("the list of partitioned tables is that of the database", async () => {
  const { rows } = await db().query("select relname as name from pg_class where relkind = 'p' order by 1");
  expect(rows.map(({ name }) => name)).toEqual(PARTITIONED_TABLES.toSorted());
});

describe("rows in default partitions", () => {
  test("move to the partition of their week or month, those of later and of earlier weeks, too", async () => {
    for (const daysAgo of [70, 1, 0, -20]) await write(daysAgo);
    await expectRows(4, 4);
    await createPartitions(db(), 100);
    await expectRows(4, 0);
    // Up to four weeks ahead, nothing else comes to a default partition.
    for (const daysAgo of [0, -7, -14, -21, -27]) await write(daysAgo);
    await expectRows(9, 0);
    const { rows } = await db().query("select * from missing_partitions(now(), now() + interval '28 days')");
    expect(rows).toEqual([]);
  });

  test("of a time more than four weeks ahead stay until then, and keep no partition from being created", async () => {
    await write(-400);
    await createPartitions(db(), 100);
    await write(0);
    await expectRows(2, 1);
  });

  test("keep what an index and a foreign key promise", async () => {
    await write(0, 3);
    await createPartitions(db(), 100);
    const accepted = await db().query("select dedupe_key from trigger_deliveries limit 1");
    const again = db().query(
      `insert into trigger_deliveries (id, subscription_id, workspace_id, dedupe_key, verdict)
       values (${ID}, $2, $3, $4, 'accepted')`,
      [0, subscriptionId, workflow.workspaceId, accepted.rows[0].dedupe_key],
    );
    await expect(again).rejects.toMatchObject({ code: "23505" });
    const before = await db().query("select max(seq) as seq from execution_events");
    await write(0);
    const after = await db().query("select max(seq) as seq from execution_events");
    expect(after.rows[0].seq).toBe(before.rows[0].seq + 1);
    await db().query("delete from workspaces");
    expect(await rowsOf("trigger_deliveries")).toEqual({ all: 0, inDefault: 0 });
  });

  test("that are too many to move while calls are served move at the next start, and the other weeks move at once", async () => {
    // More than a month ago: the audit log has one partition for all days of a month.
    await write(40, 3);
    await write(0, 2);
    await createPartitions(db(), 2);
    await expectRows(5, 3);
    await migrate(process.env.DATABASE_URL ?? "");
    await expectRows(5, 0);
  });

  test("are a metric", async () => {
    await write(0, 2);
    const family = (await readMetrics()).find(({ name }) => name === "signalbox_default_partition_rows");
    expect(family?.samples).toHaveLength(PARTITIONED_TABLES.length);
    for (const { value } of family?.samples ?? []) expect(value).toBe(2);
  });
});

test("a partition that cannot be created keeps no other one from being created", async () => {
  await write(0);
  const { rows } = await db().query(
    "select part from missing_partitions(now(), now()) where parent = 'execution_events'",
  );
  await db().query(`create table ${rows[0].part} (n int)`);
  await createPartitions(db(), 100);
  expect(await rowsOf("execution_events")).toEqual({ all: 1, inDefault: 1 });
  expect(await rowsOf("run_checkpoints")).toEqual({ all: 1, inDefault: 0 });
  await db().query(`drop table ${rows[0].part}`);
  await createPartitions(db(), 100);
  await expectRows(1, 0);
});

test("several processes create each partition once", async () => {
  await write(0, 50);
  await write(30, 50);
  await Promise.all(Array.from({ length: 4 }, () => createPartitions(db(), 1_000)));
  await createPartitions(db(), 1_000);
  await expectRows(100, 0);
});

test("a table in use is left for the next time instead of making others wait", async () => {
  await write(0);
  const reader = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await reader.connect();
  await reader.query("begin; select 1 from execution_events limit 1");
  await createPartitions(db(), 100);
  expect(await rowsOf("execution_events")).toEqual({ all: 1, inDefault: 1 });
  expect(await rowsOf("run_checkpoints")).toEqual({ all: 1, inDefault: 0 });
  await reader.query("commit");
  await reader.end();
  await createPartitions(db(), 100);
  await expectRows(1, 0);
});

test("an insert that waits for the move succeeds and lands in the new partition", async () => {
  await write(0);
  const { rows } = await db().query("select * from missing_partitions(now(), now()) where parent = 'run_checkpoints'");
  const [mover, writer] = [new pg.Client(process.env.DATABASE_URL), new pg.Client(process.env.DATABASE_URL)];
  await Promise.all([mover.connect(), writer.connect()]);
  const { parent, part, starts, ends } = rows[0];
  await mover.query("begin");
  await mover.query("select create_partition($1, $2, $3, $4, null)", [parent, part, starts, ends]);
  const inserted = writer.query(`insert into run_checkpoints (run_id, node_id, sealed) values (${ID}, 'b', '')`, [0]);
  await eventually(async () => {
    const waiting = await db().query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    expect(waiting.rows).toHaveLength(1);
  });
  await mover.query("commit");
  await inserted;
  await Promise.all([mover.end(), writer.end()]);
  expect(await rowsOf("run_checkpoints")).toEqual({ all: 2, inDefault: 0 });
});

test("an instance that was off for weeks has its partitions before anything writes", async () => {
  await migrate(process.env.DATABASE_URL ?? "");
  await write(0);
  await write(-27);
  await expectRows(2, 0);
});
