import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { migrate } from "#prisma/migrate";
import { queryOn, useMigrationStage, writeMigration } from "#prisma/migrate.fixture";

const stage = useMigrationStage();

const query = (sql: string) => queryOn(stage.url, sql);
const write = (name: string, sql: string) => writeMigration(stage, name, sql);

describe("migrate", () => {
  test("applies the project's migrations to an empty database, and nothing the second time", async () => {
    expect(await migrate(stage.url)).not.toEqual([]);
    expect(await migrate(stage.url)).toEqual([]);
    const [row] = await query("select to_regclass('runs') as runs, to_regclass('graphile_worker.jobs') as jobs");
    expect(row).toEqual({ runs: "runs", jobs: "graphile_worker.jobs" });
  });

  test("applies migrations in the order of their names, and then only later ones", async () => {
    await write("2_second", "alter table t add column b int");
    await write("1_first", "create table t (a int)");
    expect(await migrate(stage.url, stage.folder)).toEqual(["1_first", "2_second"]);
    await write("3_third", "alter table t add column c int");
    expect(await migrate(stage.url, stage.folder)).toEqual(["3_third"]);
  });

  test("writes rows that Prisma's own commands read as applied", async () => {
    await write("1_first", "create table t (a int)");
    await migrate(stage.url, stage.folder);
    const rows = await query(
      `select migration_name, length(checksum) as checksum, finished_at is not null as finished, rolled_back_at,
         applied_steps_count from _prisma_migrations`,
    );
    expect(rows).toEqual([
      { migration_name: "1_first", checksum: 64, finished: true, rolled_back_at: null, applied_steps_count: 1 },
    ]);
  });

  test("refuses a migration that was edited after it was applied", async () => {
    await write("1_first", "create table t (a int)");
    await migrate(stage.url, stage.folder);
    await write("1_first", "create table t (a bigint)");
    await expect(migrate(stage.url, stage.folder)).rejects.toThrow(
      "migration 1_first was changed after it had been applied",
    );
  });

  test("refuses the database of an older checkout with one sentence that says what to do, and changes nothing", async () => {
    await write("1_first", "create table t (a int)");
    await migrate(stage.url, stage.folder);
    await rm(join(stage.folder, "migrations", "1_first"), { recursive: true });
    await write("2_initial", "create table t (a int, b int)");
    await expect(migrate(stage.url, stage.folder)).rejects.toThrow(
      /^This version can't migrate the database, because an earlier checkout created it\. Run `npm start -- --reset` to /,
    );
    expect(await query("select migration_name from _prisma_migrations")).toEqual([{ migration_name: "1_first" }]);
  });

  test("starts on the database of a newer release", async () => {
    await write("1_first", "create table t (a int)");
    await write("2_second", "alter table t add column b int");
    await migrate(stage.url, stage.folder);
    await rm(join(stage.folder, "migrations", "2_second"), { recursive: true });
    expect(await migrate(stage.url, stage.folder)).toEqual([]);
  });

  test("applies each migration once if two processes start at the same time", async () => {
    await write("1_first", "create table t (a int); select pg_sleep(0.2); insert into t values (1)");
    const applied = await Promise.all([
      migrate(stage.url, stage.folder),
      migrate(stage.url, stage.folder),
      migrate(stage.url, stage.folder),
    ]);
    expect(applied.flat()).toEqual(["1_first"]);
    expect(await query("select a from t")).toEqual([{ a: 1 }]);
  });

  test("rolls back a migration that fails, and applies it once it is fixed", async () => {
    await write("1_first", "create table t (a int); select 1 / 0");
    await expect(migrate(stage.url, stage.folder)).rejects.toThrow("migration 1_first failed: division by zero");
    const [row] = await query("select to_regclass('t') as t, (select count(*)::int from _prisma_migrations) as n");
    expect(row).toEqual({ t: null, n: 0 });
    await write("1_first", "create table t (a int)");
    expect(await migrate(stage.url, stage.folder)).toEqual(["1_first"]);
  });

  test("repeats a migration that PostgreSQL ended to resolve a deadlock, and keeps nothing of the first attempts", async () => {
    await query("create sequence attempts");
    const deadlock = "raise exception 'deadlock detected' using errcode = '40P01'";
    await write(
      "1_first",
      `create table t (a int); do $$ begin if nextval('attempts') < 3 then ${deadlock}; end if; end $$`,
    );
    expect(await migrate(stage.url, stage.folder)).toEqual(["1_first"]);
    expect(await query("select last_value::int as attempts from attempts")).toEqual([{ attempts: 3 }]);
  });
});
