import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { closeDb } from "#lib/platform/db/pool";

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

/** Returns what drops the database. */
async function open(): Promise<() => Promise<void>> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const server = inject("postgresUrl");
  await onServer(server, `create database ${name} template ${inject("templateDatabase")}`);
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
