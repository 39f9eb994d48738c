import pg from "pg";
import { expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { migrate } from "#prisma/migrate";
import { migrateBefore, queryOn, useMigrationStage } from "#prisma/migrate.fixture";

const stage = useMigrationStage();
const query = (sql: string) => queryOn(stage.url, sql);

const FIRST = "20261124010000_partition_bounds";

/** Brings the database to the release before the partitions, with rows in each log. */
async function migrateToBefore(): Promise<void> {
  await migrateBefore(stage, FIRST);
  await query(`
    insert into workspaces (id, slug, name) values ('0190a0a0-0000-7000-8000-000000000001', 'w', 'W');
    insert into workflows (id, workspace_id, name, type, draft)
      values ('0190a0a0-0000-7000-8000-000000000002', '0190a0a0-0000-7000-8000-000000000001', 'w', 'event_driven', '{}');
    insert into trigger_subscriptions (id, workspace_id, workflow_id, kind, config)
      values ('0190a0a0-0000-7000-8000-000000000003', '0190a0a0-0000-7000-8000-000000000001',
        '0190a0a0-0000-7000-8000-000000000002', 'webhook', '{}');
    insert into event_endpoints (id, workspace_id, kind, events)
      values ('0190a0a0-0000-7000-8000-000000000004', '0190a0a0-0000-7000-8000-000000000001', 'email', '{}');
    insert into trigger_deliveries (id, subscription_id, workspace_id, dedupe_key, verdict)
      select new_uuidv7(), '0190a0a0-0000-7000-8000-000000000003', '0190a0a0-0000-7000-8000-000000000001', n::text, 'accepted'
      from generate_series(1, 100) n;
    insert into event_deliveries (id, event_id, workspace_id, endpoint_id, type, data)
      select new_uuidv7(), new_uuidv7(), '0190a0a0-0000-7000-8000-000000000001', '0190a0a0-0000-7000-8000-000000000004',
        'x', '{}' from generate_series(1, 100);
    insert into audit_events (id, workspace_id, actor_type, action, object_type)
      select new_uuidv7(), '0190a0a0-0000-7000-8000-000000000001', 'system', 'x', 'y' from generate_series(1, 100)`);
}

const LOGS = ["trigger_deliveries", "event_deliveries", "audit_events"];

test("a database with rows keeps them, with their indexes and foreign keys", async () => {
  await migrateToBefore();
  const files = Object.fromEntries(
    (await query("select relname, relfilenode from pg_class where relkind in ('r', 'i')")).map((row) => [
      row.relname,
      row.relfilenode,
    ]),
  );
  await migrate(stage.url);
  for (const log of LOGS) {
    const [row] = await query(`select count(*)::int as n, min(tableoid::regclass::text) as partition from ${log}`);
    expect(row).toEqual({ n: 100, partition: `${log}_before` });
    const [table] = await query(`select relfilenode from pg_class where relname = '${log}_before'`);
    expect(table?.relfilenode).toBe(files[log]);
    // None of the indexes was built again.
    const indexes = await query(
      `select c.relname, c.relfilenode from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = '${log}_before'::regclass`,
    );
    for (const { relname, relfilenode } of indexes) {
      expect(relfilenode).toBe(files[String(relname).replace(`${log}_before`, log)]);
    }
    expect(await query(`select 1 from pg_constraint where conname = 'before_partitions'`)).toEqual([]);
  }
  await query("delete from workspaces");
  for (const log of LOGS) expect(await query(`select 1 from ${log}`)).toEqual([]);
});

test("a session of the previous release keeps accepting and refusing events across the migration", async () => {
  await migrateToBefore();
  const session = new pg.Client({ connectionString: stage.url });
  await session.connect();
  const note = () =>
    session.query({
      name: "note",
      text: "select note_delivery(jsonb_populate_record(null::trigger_deliveries, $1), $2)",
      values: [
        JSON.stringify({
          id: "0190a0a0-0000-7000-8000-0000000000aa",
          subscription_id: "0190a0a0-0000-7000-8000-000000000003",
          workspace_id: "0190a0a0-0000-7000-8000-000000000001",
          verdict: "duplicate",
        }),
        1_000,
      ],
    });
  const known = () =>
    session.query({
      name: "known",
      text: "select (known_event('0190a0a0-0000-7000-8000-000000000003', '7', 24)).verdict",
    });
  await note();
  await known();
  await session.query("delete from trigger_deliveries where verdict = 'duplicate'");
  await migrate(stage.url);
  await note();
  expect((await known()).rows).toEqual([{ verdict: "accepted" }]);
  await session.end();
});

test("the migration waits for a long transaction without making others wait for long, and is applied then", async () => {
  await migrateToBefore();
  const reader = new pg.Client({ connectionString: stage.url });
  await reader.connect();
  await reader.query("begin; select 1 from audit_events limit 1");
  const migrated = migrate(stage.url);
  await eventually(async () => {
    const rows = await query(
      "select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
    );
    expect(rows).toHaveLength(1);
  });
  // Between two attempts nothing is locked.
  await query(
    "insert into audit_events (id, actor_type, action, object_type) values (new_uuidv7(), 'system', 'x', 'y')",
  );
  await reader.query("commit");
  expect(await migrated).toContain(FIRST);
  await reader.end();
});
