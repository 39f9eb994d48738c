import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "#prisma/migrate";
import { startCluster } from "#scripts/embedded-postgres";
import { removePostgresHome } from "#scripts/postgres-home";
import { isAlive } from "#scripts/process-identity";

const PREFIX = "signalbox-test-";

/** What a crash would lose is nothing here; the tests wait for no disk. */
const SETTINGS = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" };

/**
 * Vitest's global set-up: a PostgreSQL to test on, thrown away afterwards (or TEST_POSTGRES_URL, a superuser's), with
 * the migrated template that test files clone.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_POSTGRES_URL;
  const server = given ? { url: given, remove: async () => {} } : await startThrowaway();
  const template = `template_${process.pid}`;
  const admin = new pg.Client({ connectionString: server.url });
  // The server goes away before the connection does.
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

async function startThrowaway(): Promise<{ url: string; remove: () => Promise<void> }> {
  await sweepLeftovers();
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  await chmod(dataDir, 0o711);
  const password = randomBytes(12).toString("hex");
  const logFile = join(dataDir, "postgres.log");
  try {
    const cluster = await startCluster({ dataDir, password, logFile, settings: SETTINGS });
    return {
      url: cluster.url("postgres"),
      remove: async () => {
        await cluster.stop("immediate");
        await removeFolder(dataDir);
      },
    };
  } catch (error) {
    await removeFolder(dataDir);
    throw error;
  }
}

async function removeFolder(dataDir: string): Promise<void> {
  await removePostgresHome(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}

/** Ends and deletes the clusters of test runs that were killed. */
async function sweepLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split("-")[0]) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    await removeFolder(join(tmpdir(), name));
  }
}
