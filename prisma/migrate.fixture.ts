import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, inject } from "vitest";

interface MigrationStage {
  /** The URL of an empty database. */
  url: string;
  /** A folder with the folders `migrations` and `functions`, both empty. */
  folder: string;
}

/** Gives each test of the calling file an empty database and an empty folder of migrations. */
export function useMigrationStage(): MigrationStage {
  const stage: MigrationStage = { url: "", folder: "" };

  beforeEach(async () => {
    stage.folder = await mkdtemp(join(tmpdir(), "signalbox-migrations-"));
    await mkdir(join(stage.folder, "migrations"));
    await mkdir(join(stage.folder, "functions"));
    const name = `migrate_${randomBytes(6).toString("hex")}`;
    await queryOn(inject("postgresUrl"), `create database ${name}`);
    stage.url = new URL(`/${name}`, inject("postgresUrl")).href;
  });
  afterEach(async () => {
    await rm(stage.folder, { recursive: true, force: true });
    await queryOn(inject("postgresUrl"), `drop database ${new URL(stage.url).pathname.slice(1)} with (force)`);
  });
  return stage;
}

export async function queryOn(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function writeMigration({ folder }: MigrationStage, name: string, sql: string): Promise<void> {
  await mkdir(join(folder, "migrations", name), { recursive: true });
  await writeFile(join(folder, "migrations", name, "migration.sql"), sql);
}

export async function writeFunction({ folder }: MigrationStage, name: string, sql: string): Promise<void> {
  await writeFile(join(folder, "functions", `${name}.sql`), sql);
}

export async function removeFunction({ folder }: MigrationStage, name: string): Promise<void> {
  await rm(join(folder, "functions", `${name}.sql`));
}
