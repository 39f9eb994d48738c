import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { migrationTransaction } from "#prisma/migration-transaction";

/** Prisma's own table, with the columns its CLI reads, so that `prisma migrate status` reports the same state. */
const CREATE_TABLE = `create table if not exists _prisma_migrations (
  id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
  migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

interface AppliedMigrations {
  /** The migrations that this call applied. */
  applied: string[];
  /** True if the database has a migration that the folder does not: a newer release has started on it. */
  isNewerDatabase: boolean;
}

/** The last commit with the migrations that the first one of today replaces. */
const LAST_OF_FORMER = "15468637";

/**
 * Applies the migrations of a folder in the order of their names, each in its own transaction.
 * @throws Error if a migration fails, or was edited after it was applied, or if the database is older than the first one
 */
export async function applyMigrations(client: pg.Client, folder: string): Promise<AppliedMigrations> {
  await client.query(CREATE_TABLE);
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    "select migration_name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null",
  );
  const known = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  if (rows.some((row) => row.migration_name < (names[0] ?? ""))) {
    throw new Error(
      "This version can't migrate the database, because an earlier checkout created it. Run `npm start -- --reset` to " +
        `delete the embedded database, use another DATABASE_URL, or check out the commit ${LAST_OF_FORMER} to keep the data.`,
    );
  }
  const applied: string[] = [];
  for (const name of names) {
    const sql = await readFile(join(folder, name, "migration.sql"), "utf8");
    const checksum = createHash("sha256").update(sql).digest("hex");
    if (known.has(name)) {
      if (known.get(name) !== checksum) throw new Error(`migration ${name} was changed after it had been applied`);
      continue;
    }
    await applyOne(client, name, sql, checksum);
    applied.push(name);
  }
  return { applied, isNewerDatabase: rows.some((row) => !names.includes(row.migration_name)) };
}

async function applyOne(client: pg.Client, name: string, sql: string, checksum: string): Promise<void> {
  try {
    await migrationTransaction(client, async () => {
      await client.query(sql);
      await client.query(
        `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
         values ($1, $2, $3, now(), 1)`,
        [randomUUID(), checksum, name],
      );
    });
  } catch (error) {
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
