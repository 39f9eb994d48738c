import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "#prisma/migrate";

/** Vitest's global set-up: a Postgres to test on, with the migrated template that test files clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.TEST_POSTGRES_URL ?? "";
  const template = `template_${process.pid}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${template}`);
  await migrate(new URL(`/${template}`, server).href);
  project.provide("postgresUrl", server);
  project.provide("templateDatabase", template);
  return async () => {
    await admin.query(`drop database if exists ${template} with (force)`);
    await admin.end();
  };
}
