import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { findContractMark, findContractSteps } from "#prisma/find-contract-steps";

interface PreviousRelease {
  /** A date, so that releases compare by their names. */
  name: string;
  last_migration: string;
  /** The parameters and the result of every SQL function. */
  functions: Record<string, string>;
}

const FOLDER = join(import.meta.dirname, "migrations");

async function readPrevious(): Promise<PreviousRelease> {
  const file = join(import.meta.dirname, "..", "bench", "stage", "previous-release.json");
  return JSON.parse(await readFile(file, "utf8")) as PreviousRelease;
}

const readMigration = (name: string) => readFile(join(FOLDER, name, "migration.sql"), "utf8");

async function newMigrations({ last_migration: last }: PreviousRelease): Promise<string[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() && entry.name > last ? [entry.name] : [])).sort();
}

test("no migration since the previous release takes away what that release uses", async () => {
  const previous = await readPrevious();
  const wrong: string[] = [];
  for (const name of await newMigrations(previous)) {
    const sql = await readMigration(name);
    const mark = findContractMark(sql);
    // The previous release is the one that still runs. It must be newer than the last one that needed what goes away.
    if (mark !== null && mark < previous.name) continue;
    wrong.push(...findContractSteps(sql).map(({ statement, why }) => `${name}: ${why}: ${statement}`));
  }
  expect(wrong).toEqual([]);
});

describe("the functions", () => {
  useTestDatabase();

  test("have every function of the previous release, with its parameters and its result", async () => {
    const { functions } = await readPrevious();
    const { rows } = await db().query<{ name: string; signature: string }>(
      `select proname as name, format('(%s) returns %s', pg_get_function_arguments(oid), pg_get_function_result(oid))
         as signature from pg_proc where pronamespace = 'public'::regnamespace`,
    );
    expect(Object.fromEntries(rows.map(({ name, signature }) => [name, signature]))).toMatchObject(functions);
  });
});

describe("findContractSteps", () => {
  test.each([
    "drop table runs",
    "alter table runs drop column error",
    "alter table runs rename column error to fault",
    "alter table runs rename to executions",
    "alter table runs alter column error set not null",
    "alter table runs alter column depth type bigint",
    "alter table runs add column seen boolean not null",
    "alter table runs add column seen boolean, add column kind text not null, add column at date",
    "alter table runs add constraint runs_depth check (depth < 10)",
    "alter table runs add column kind text generated always as (source) stored",
    "alter table runs drop constraint runs_pkey, add primary key (workspace_id, id)",
    "create unique index runs_once on runs (workspace_id, correlation_id)",
    "drop function take_runs(text)",
    "do $$ begin execute format('alter table %I rename to %I', 'runs', 'executions'); end $$",
  ])("finds: %s", (sql) => {
    expect(findContractSteps(`-- Why.\n${sql};`)).not.toEqual([]);
  });

  test.each([
    "alter table runs add column seen boolean",
    "alter table runs add column kind text not null default 'a' check (kind in ('a', 'b'))",
    "create index runs_seen on runs (seen)",
    "drop index runs_seen",
    "create table kinds (id uuid primary key, name text not null); create unique index kinds_name on kinds (name)",
    "update runs set error = null where error ->> 'code' = 'drop table runs'",
    "-- drop table runs\nselect 1",
  ])("accepts: %s", (sql) => {
    expect(findContractSteps(sql)).toEqual([]);
  });

  test("reads the release after which a contract step may run", () => {
    expect(
      findContractMark("-- Not read any more.\n-- contract after 2026-11-23: nothing reads it.\ndrop table t;"),
    ).toBe("2026-11-23");
    expect(findContractMark("drop table t;")).toBeNull();
  });
});
