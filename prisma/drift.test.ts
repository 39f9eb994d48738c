import pg from "pg";
import { expect, test } from "vitest";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { diffDatabase } from "#prisma/drift-engine";

useTestDatabase();

const url = () => process.env.DATABASE_URL ?? "";

test("the migrations and schema.prisma describe the same database", async () => {
  expect(await diffDatabase(url())).toBe("");
});

test("a column, an index or a default that only one of the two knows is found", async () => {
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
