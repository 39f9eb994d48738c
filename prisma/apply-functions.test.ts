import { cp } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { diffFunctions } from "#prisma/diff-functions";
import { FUNCTIONS_FOLDER, readFunctionFiles } from "#prisma/function-file";
import { migrate } from "#prisma/migrate";
import { queryOn, removeFunction, useMigrationStage, writeFunction, writeMigration } from "#prisma/migrate.fixture";

const stage = useMigrationStage();

const apply = () => migrate(stage.url, stage.folder);
const query = (sql: string) => queryOn(stage.url, sql);
const write = (name: string, sql: string) => writeFunction(stage, name, sql);

/** Creates a function in SQL that returns an expression. */
const returning = (name: string, expression: string) =>
  `create or replace function ${name}() returns integer language sql as $$ select ${expression} $$;`;

async function call(name: string): Promise<unknown> {
  const [row] = await query(`select ${name}() as answer`);
  return row?.answer;
}

async function namesOfFunctions(): Promise<unknown[]> {
  const rows = await query(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Creates a trigger that counts the writes to table t by `step`. */
const counting = (trigger: string, step: number) => `
create or replace function count_writes() returns trigger language plpgsql as $$
begin
  new.n := new.n + ${step};
  return new;
end $$;
create or replace trigger ${trigger} before insert on t for each row execute function count_writes();`;

async function countOfWrite(): Promise<unknown> {
  const [row] = await query("insert into t values (0) returning n");
  return row?.n;
}

describe("an upgrade", () => {
  test("adds all functions to a database that has only the migrations", async () => {
    await cp(join(FUNCTIONS_FOLDER, "..", "migrations"), join(stage.folder, "migrations"), { recursive: true });
    await apply();
    await query("drop table _function_sets");
    const names = (await readFunctionFiles()).map(({ name }) => name);
    expect(await migrate(stage.url)).toEqual(names);
    expect(await diffFunctions(stage.url)).toEqual([]);
    expect(await migrate(stage.url)).toEqual([]);
  });

  test("applies only the functions that changed", async () => {
    await write("one", returning("one", "1"));
    await write("two", returning("two", "2"));
    expect(await apply()).toEqual(["one", "two"]);
    await write("two", returning("two", "22"));
    expect(await apply()).toEqual(["two"]);
    expect(await apply()).toEqual([]);
    expect([await call("one"), await call("two")]).toEqual([1, 22]);
  });

  test("waits for no table lock if nothing changed", async () => {
    await writeMigration(stage, "1_first", "create table t (n integer)");
    await write("count_writes", counting("t_count", 1));
    await apply();
    const writer = new pg.Client({ connectionString: stage.url });
    await writer.connect();
    try {
      await writer.query("begin; lock table t in access exclusive mode");
      expect(await apply()).toEqual([]);
    } finally {
      await writer.end();
    }
  });

  test("does not depend on the order of the files: a function in SQL can call one that comes later", async () => {
    await write("a_caller", returning("a_caller", "z_called() + 1"));
    await write("z_called", returning("z_called", "1"));
    await apply();
    expect(await call("a_caller")).toBe(2);
  });

  test("applies each function once if several processes start at the same time", async () => {
    await write("one", returning("one", "1"));
    const applied = await Promise.all([apply(), apply(), apply()]);
    expect(applied.flat()).toEqual(["one"]);
  });
});

describe("a failed upgrade", () => {
  test("keeps all old functions, and the next start applies the fixed ones", async () => {
    await write("one", returning("one", "1"));
    await write("two", returning("two", "2"));
    await apply();
    await write("one", returning("one", "11"));
    await write("two", returning("two", "missing_column"));
    await expect(apply()).rejects.toThrow('function two failed: column "missing_column" does not exist');
    expect([await call("one"), await call("two")]).toEqual([1, 2]);
    await write("two", returning("two", "22"));
    expect(await apply()).toEqual(["one", "two"]);
    expect([await call("one"), await call("two")]).toEqual([11, 22]);
  });

  test("gives up while another transaction keeps a table with a trigger locked, instead of blocking its writers", async () => {
    await writeMigration(stage, "1_first", "create table t (n integer)");
    await write("count_writes", counting("t_count", 1));
    await apply();
    await write("count_writes", counting("t_count", 10));
    const writer = new pg.Client({ connectionString: stage.url });
    await writer.connect();
    try {
      await writer.query("begin; insert into t values (0)");
      await expect(apply()).rejects.toThrow("function count_writes failed: canceling statement due to lock timeout");
    } finally {
      await writer.end();
    }
    expect(await countOfWrite()).toBe(1);
    expect(await apply()).toEqual(["count_writes"]);
    expect(await countOfWrite()).toBe(10);
  });

  test.each([
    ["another parameter", "one(a integer) returns integer"],
    ["another result", "one() returns bigint"],
    ["another default", "one(a integer default 1) returns integer"],
  ])("refuses %s of an existing function", async (_, signature) => {
    await write("one", returning("one", "1"));
    await apply();
    await write("one", `create or replace function ${signature} language sql as $$ select 2 $$`);
    await expect(apply()).rejects.toThrow(
      "function one changed its signature. Give the new signature a new name and keep this file until a later release",
    );
    expect(await call("one")).toBe(1);
  });

  test("refuses a renamed parameter", async () => {
    const one = (name: string) =>
      `create or replace function one(${name} integer) returns integer language sql as 'select 1'`;
    await write("one", one("a"));
    await apply();
    await write("one", one("b"));
    await expect(apply()).rejects.toThrow("function one changed its signature");
  });
});

describe("a function without a file", () => {
  test("is dropped with its triggers by a newer release", async () => {
    await writeMigration(stage, "1_first", "create table t (n integer)");
    await write("count_writes", counting("t_count", 1));
    await write("one", returning("one", "1"));
    await apply();
    expect(await countOfWrite()).toBe(1);
    await removeFunction(stage, "count_writes");
    await apply();
    expect(await namesOfFunctions()).toEqual(["one"]);
    expect(await countOfWrite()).toBe(0);
  });

  test("is kept when an older release starts again, and while something depends on it", async () => {
    await write("one", returning("one", "1"));
    await apply();
    await write("two", returning("two", "2"));
    await apply();
    await removeFunction(stage, "two");
    expect(await apply()).toEqual([]);
    expect(await namesOfFunctions()).toEqual(["one", "two"]);

    await write("three", returning("three", "3"));
    await query("create view v as select two()");
    await expect(apply()).rejects.toThrow("cannot drop function two() because other objects depend on it");
    await query("drop view v");
    await apply();
    expect(await namesOfFunctions()).toEqual(["one", "three"]);
  });

  test("is kept if it came from no file", async () => {
    await query("create function theirs() returns integer language sql as 'select 1'");
    await write("one", returning("one", "1"));
    await apply();
    expect(await namesOfFunctions()).toEqual(["one", "theirs"]);
  });
});

test("a trigger that its file no longer creates is dropped", async () => {
  await writeMigration(stage, "1_first", "create table t (n integer)");
  await write("count_writes", counting("t_count", 1));
  await apply();
  await write("count_writes", counting("t_count_in_tens", 10));
  await apply();
  expect(await countOfWrite()).toBe(10);
});

test("an older release does not change the functions of a newer release's database", async () => {
  await writeMigration(stage, "1_first", "create table t (n integer)");
  await write("one", returning("one", "1"));
  await apply();
  await query(
    "insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('2', '', '2_second', now())",
  );
  await write("one", returning("one", "11"));
  expect(await apply()).toEqual([]);
  expect(await call("one")).toBe(1);
});
