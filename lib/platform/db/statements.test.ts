import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { checkStatement, readCatalog } from "#lib/platform/db/check-statement.fixture";
import { bigint, enumOf, filled, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { definedStatements, type StatementDefinition, warmUps } from "#lib/platform/db/define-statement";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

/** Every product module that declares statements, and how often it calls `defineStatement`. */
const MODULES = ["lib", "worker"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.(test|fixture))\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      path,
      calls: readFileSync(path, "utf8").match(/\bdefine(?:Statement|Variants)\(\{/g)?.length ?? 0,
    }))
    .filter(({ calls }) => calls > 0),
);

for (const { path } of MODULES) await import(/* @vite-ignore */ join(process.cwd(), path));
const statements: readonly StatementDefinition[] = [...definedStatements()];
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
afterAll(() => client.end());

/** The problems, by the name of the statement. */
async function findFaults(of: readonly StatementDefinition[]): Promise<Record<string, string[]>> {
  const catalog = await readCatalog(client);
  const faults: Record<string, string[]> = {};
  for (const statement of of) {
    const found = await checkStatement(client, catalog, statement);
    if (found.length > 0) faults[statement.name] = found;
  }
  return faults;
}

describe("every declared statement", () => {
  test("agrees with the schema in its parameters, its columns and their nullability", async () => {
    expect(await findFaults(statements)).toEqual({});
  });

  test("has a unique name that PostgreSQL does not truncate", () => {
    const names = statements.map((statement) => statement.name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z][a-z0-9_]{2,62}$/.test(name))).toEqual([]);
  });

  test("is declared when its module loads, so that this test sees all of them", () => {
    const calls = MODULES.reduce((sum, module) => sum + module.calls, 0);
    expect(calls).toBeGreaterThan(0);
    expect(statements.length).toBeGreaterThanOrEqual(calls);
  });
});

test("a statement that prepares a connection for its hot path changes nothing", async () => {
  expect(warmUps().size).toBeGreaterThan(0);
  for (const [name, run] of warmUps()) {
    await client.query("begin");
    await run(client);
    const { rows } = await client.query("select pg_current_xact_id_if_assigned()::text as written");
    await client.query("rollback");
    expect([name, rows[0].written]).toEqual([name, null]);
  }
});

test("a renamed column names every statement that uses it", async () => {
  await client.query("alter table runs rename column lease_token to renamed");
  try {
    const affected = Object.keys(await findFaults(statements));
    expect(affected.toSorted()).toEqual(
      statements
        .filter(({ sql }) => /\blease_token\b/.test(sql))
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(affected).toEqual(expect.arrayContaining(["release_run"]));
  } finally {
    await client.query("alter table runs rename column renamed to lease_token");
  }
});

describe("a statement that differs from the schema", () => {
  const right: StatementDefinition = {
    name: "example",
    sql: "select id, status, user_id from runs where id = $1 limit $2",
    params: { runId: uuid, limit: bigint },
    row: { id: uuid, status: enumOf(["running"]), user_id: nullable(uuid) },
  };
  test.each<[string, Partial<StatementDefinition>, string]>([
    [
      "an unknown column",
      { sql: "select nothing from runs" },
      'PostgreSQL does not prepare it: column "nothing" does not exist',
    ],
    [
      "another type of a parameter",
      { params: { runId: uuid, limit: integer } },
      "parameters are (runId: uuid, limit: bigint), declared (runId: uuid, limit: integer)",
    ],
    [
      "a missing parameter",
      { params: { runId: uuid } },
      "parameters are (runId: uuid, undefined: bigint), declared (runId: uuid)",
    ],
    [
      "another order of columns",
      { row: { status: text, id: uuid, user_id: nullable(uuid) } },
      "columns are (id: uuid, status: text, user_id: uuid), declared (status: text, id: uuid, user_id: uuid)",
    ],
    ["a column that may be null", { row: { id: uuid, status: text, user_id: uuid } }, "column user_id may be null"],
    [
      "a column that is never null",
      { row: { id: nullable(uuid), status: text, user_id: nullable(uuid) } },
      "column id is never null, declared nullable",
    ],
    [
      "a column that needs no condition",
      { row: { id: filled(uuid), status: text, user_id: filled(uuid) } },
      "column id is never null, declared filled",
    ],
  ])("is found: %s", async (_, wrong, fault) => {
    expect(await findFaults([right])).toEqual({});
    expect(await findFaults([{ ...right, ...wrong }])).toEqual({ example: [fault] });
  });
});
