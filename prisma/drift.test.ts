import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { diffFunctions } from "#prisma/diff-functions";
import { diffDatabase } from "#prisma/drift-engine";
import { readFunctionFiles } from "#prisma/function-file";

useTestDatabase();

const url = () => process.env.DATABASE_URL ?? "";

test("the migrations and schema.prisma describe the same database", async () => {
  expect(await diffDatabase(url())).toBe("");
});

test("a column, an index or a default that only one of the two has is found", async () => {
  const client = new pg.Client({ connectionString: url() });
  await client.connect();
  await client.query(`alter table users add column only_here text;
    drop index runs_open;
    alter table workspaces alter column plan set default 'pro'`);
  await client.end();
  const sql = await diffDatabase(url());
  expect(sql).toContain('DROP COLUMN "only_here"');
  expect(sql).toContain('CREATE INDEX "runs_open"');
  expect(sql).toContain("SET DEFAULT 'free'");
});

describe("the functions of the database", () => {
  test("are those of prisma/functions, one file each", async () => {
    expect(await diffFunctions(url())).toEqual([]);
    const { rows } = await db().query<{ name: string }>(
      "select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace order by proname",
    );
    expect(rows.map(({ name }) => name)).toEqual((await readFunctionFiles()).map(({ name }) => name));
  });

  test("differ after a manual edit, in the database or by a trigger that no file creates", async () => {
    await db().query(`create or replace function uuid_floor(at timestamptz) returns uuid language sql immutable as
        $$ select gen_random_uuid() $$;
      create function by_hand() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger runs_by_hand before insert on runs for each row execute function by_hand();
      create trigger runs_emit_more after insert on runs for each row execute function emit_run_ended();
      drop function tell_listener_failed cascade;
      alter table approvals disable trigger approvals_emit_opened`);
    expect(await diffFunctions(url())).toEqual([
      "approvals_emit_opened on approvals",
      "by_hand()",
      "connector_listeners_tell_failed on connector_listeners",
      "runs_by_hand on runs",
      "runs_emit_more on runs",
      "tell_listener_failed()",
      "uuid_floor(timestamp with time zone)",
    ]);
  });
});

test("a function whose results are stored still has the body that computed them", async () => {
  const { rows } = await db().query<{ name: string }>(
    `select distinct p.proname as name from pg_depend d join pg_proc p on p.oid = d.refobjid
       where d.refclassid = 'pg_proc'::regclass and d.classid in ('pg_attrdef'::regclass, 'pg_class'::regclass)
         and p.pronamespace = 'public'::regnamespace`,
  );
  expect(rows).toEqual([{ name: "error_words" }]);
  const [file, migration] = await Promise.all(
    ["functions/error_words.sql", "migrations/20261130060000_initial/migration.sql"].map((path) =>
      readFile(join(import.meta.dirname, path), "utf8"),
    ),
  );
  const body = /\$\$[^$]*\$\$/.exec(file ?? "")?.[0];
  expect(body).toBeDefined();
  expect(migration).toContain(body);
});
