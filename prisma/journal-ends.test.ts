import { expect, test } from "vitest";
import { migrate } from "#prisma/migrate";
import { migrateBefore, queryOn, useMigrationStage } from "#prisma/migrate.fixture";

const stage = useMigrationStage();
const query = (sql: string) => queryOn(stage.url, sql);

/** How long until the events of a run's end are packed, in hours. */
async function readHours(): Promise<unknown> {
  const [row] = await query(
    `select round(extract(epoch from (value #>> '{}')::timestamptz - now()) / 3600)::int as hours
     from instance_settings where name = 'journal_ends_from'`,
  );
  return row?.hours;
}

test("an instance with runs packs no events while the release before may still run", async () => {
  await migrateBefore(stage, "20261129200000_journal_ends");
  await query(`
    insert into workspaces (id, slug, name) values ('0190a0a0-0000-7000-8000-000000000001', 'w', 'W');
    insert into workflows (id, workspace_id, name, type, draft)
      values ('0190a0a0-0000-7000-8000-000000000002', '0190a0a0-0000-7000-8000-000000000001', 'w', 'callable', '{}');
    insert into runs (id, workspace_id, workflow_id, definition, source, input, correlation_id)
      select new_uuidv7(), workspace_id, id, '{}', 'test', '{}', 'x' from workflows`);
  await migrate(stage.url);
  expect(await readHours()).toBe(24);
});

test("a new instance packs events at once", async () => {
  await migrate(stage.url);
  expect(await readHours()).toBe(0);
});

test("each partition of the journal has one of the same bounds", async () => {
  await migrateBefore(stage, "20261129200000_journal_ends");
  // Of another release, with bounds of its own.
  await query(
    "create table execution_events_old partition of execution_events for values from (minvalue) to (uuid_floor('2020-01-01'))",
  );
  await migrate(stage.url);
  const bounds = (table: string) =>
    query(
      `select substr(c.relname, length('${table}') + 1) as name, pg_get_expr(c.relpartbound, c.oid) as bounds
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = '${table}'::regclass order by 1`,
    );
  expect(await bounds("journal_ends")).toEqual(await bounds("execution_events"));
  expect((await bounds("journal_ends")).map(({ name }) => name)).toContain("_old");
});
