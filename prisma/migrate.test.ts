import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { migrate } from "#prisma/migrate";

let folder: string;
let url: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-migrations-"));
  const name = `migrate_${randomBytes(6).toString("hex")}`;
  await query(inject("postgresUrl"), `create database ${name}`);
  url = new URL(`/${name}`, inject("postgresUrl")).href;
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await query(inject("postgresUrl"), `drop database ${new URL(url).pathname.slice(1)} with (force)`);
});

async function query(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function write(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, "migration.sql"), sql);
}

describe("migrate", () => {
  test("applies the project's migrations to an empty database, and nothing the second time", async () => {
    expect(await migrate(url)).not.toEqual([]);
    expect(await migrate(url)).toEqual([]);
    const [row] = await query(url, "select to_regclass('runs') as runs, to_regclass('graphile_worker.jobs') as jobs");
    expect(row).toEqual({ runs: "runs", jobs: "graphile_worker.jobs" });
  });

  test("applies migrations in the order of their names, and later ones only", async () => {
    await write("2_second", "alter table t add column b int");
    await write("1_first", "create table t (a int)");
    expect(await migrate(url, folder)).toEqual(["1_first", "2_second"]);
    await write("3_third", "alter table t add column c int");
    expect(await migrate(url, folder)).toEqual(["3_third"]);
  });

  test("leaves rows that Prisma's own commands read as applied", async () => {
    await write("1_first", "create table t (a int)");
    await migrate(url, folder);
    const rows = await query(
      url,
      `select migration_name, length(checksum) as checksum, finished_at is not null as finished, rolled_back_at,
         applied_steps_count from _prisma_migrations`,
    );
    expect(rows).toEqual([
      { migration_name: "1_first", checksum: 64, finished: true, rolled_back_at: null, applied_steps_count: 1 },
    ]);
  });

  test("refuses to go on when a migration was edited after it had been applied", async () => {
    await write("1_first", "create table t (a int)");
    await migrate(url, folder);
    await write("1_first", "create table t (a bigint)");
    await expect(migrate(url, folder)).rejects.toThrow("migration 1_first was changed after it had been applied");
  });

  test("applies each migration once when two processes start at the same time", async () => {
    await write("1_first", "create table t (a int); select pg_sleep(0.2); insert into t values (1)");
    const applied = await Promise.all([migrate(url, folder), migrate(url, folder), migrate(url, folder)]);
    expect(applied.flat()).toEqual(["1_first"]);
    expect(await query(url, "select a from t")).toEqual([{ a: 1 }]);
  });

  test("leaves nothing of a migration that fails, and applies it once it is mended", async () => {
    await write("1_first", "create table t (a int); select 1 / 0");
    await expect(migrate(url, folder)).rejects.toThrow("migration 1_first failed: division by zero");
    const [row] = await query(url, "select to_regclass('t') as t, (select count(*)::int from _prisma_migrations) as n");
    expect(row).toEqual({ t: null, n: 0 });
    await write("1_first", "create table t (a int)");
    expect(await migrate(url, folder)).toEqual(["1_first"]);
  });
});
