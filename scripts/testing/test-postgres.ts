import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "#prisma/migrate";
import { startThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";

/** Settings that do not wait for the disk, because losing test data in a crash does not matter. */
const SETTINGS = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" };

/**
 * Sets Vitest up globally: starts a throwaway PostgreSQL for the tests (or uses TEST_POSTGRES_URL, as a superuser),
 * with the migrated template that test files clone.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_POSTGRES_URL;
  const server = given ? { url: given, remove: async () => {} } : await startServer();
  const template = `template_${process.pid}`;
  const admin = new pg.Client({ connectionString: server.url });
  // The server ends before the connection closes.
  admin.on("error", () => {});
  try {
    await admin.connect();
    await admin.query(`create database ${template}`);
    await migrate(new URL(`/${template}`, server.url).href);
  } catch (error) {
    await admin.end();
    await server.remove();
    throw error;
  }
  project.provide("postgresUrl", server.url);
  project.provide("templateDatabase", template);
  return async () => {
    await admin.query(`drop database if exists ${template} with (force)`);
    await admin.end();
    await server.remove();
  };
}

async function startServer(): Promise<{ url: string; remove: () => Promise<void> }> {
  const { cluster, remove } = await startThrowawayPostgres({ settings: SETTINGS });
  return { url: cluster.url("postgres"), remove };
}
