import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { closeDb, transaction } from "#lib/platform/db/pool";

declare module "vitest" {
  interface ProvidedContext {
    /** The throwaway PostgreSQL of this test run, and the migrated database that every test file gets a copy of. */
    postgresUrl: string;
    templateDatabase: string;
  }
}

/**
 * Gives the calling test file a separate database, cloned from the migrated template, as the process's DATABASE_URL.
 * Call it at the top of the file, before whatever its tests share: `const workspace = await addWorkspace()`.
 */
export async function openTestDatabase(): Promise<void> {
  afterAll(await open());
}

/** The same for a file whose tests share no rows, and for stages. */
export function useTestDatabase(): void {
  beforeAll(open);
}

/**
 * Empties the tables and everything that refers to them, like `truncate ... cascade`. That takes twenty times the CPU
 * time, because it creates new files for dozens of tables and their indexes.
 */
export async function emptyTables(...names: string[]): Promise<void> {
  await transaction(async (tx) => {
    const { rows } = await tx.query<{ name: string }>({
      text: `with recursive emptied as (
          select unnest($1::text[])::regclass::oid as id
          union select c.conrelid from pg_constraint c join emptied on c.confrelid = emptied.id)
        select id::regclass::text as name from emptied
         where not exists (select 1 from pg_inherits where inhrelid = id)`,
      values: [names],
    });
    const tables = rows.map(({ name }) => name);
    // Without triggers, as for truncate. The locks wait for statements that are under way.
    await tx.query({
      text: `set local session_replication_role = replica; lock table ${tables.join()};
        ${tables.map((table) => `delete from ${table}`).join("; ")}`,
    });
  });
}

/** Returns what drops the database. */
async function open(): Promise<() => Promise<void>> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const server = inject("postgresUrl");
  await onServer(server, `create database ${name} template ${inject("templateDatabase")} strategy file_copy`);
  process.env.DATABASE_URL = new URL(`/${name}`, server).href;
  return async () => {
    await closeDb();
    await onServer(server, `drop database ${name} with (force)`);
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
