import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runMigrations } from "graphile-worker";
import pg from "pg";

const FOLDER = join(import.meta.dirname, "migrations");
/** Any constant will do: it keeps two starting processes from migrating at once. */
const LOCK = 7_301_846;

/** Prisma's own table, with the columns its CLI reads, so that `prisma migrate status` agrees with us. */
const CREATE_TABLE = `create table if not exists _prisma_migrations (
  id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
  migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

/**
 * Applies prisma/migrations in order, each in a transaction of its own. `prisma migrate deploy` needs an engine that
 * npm does not ship; the files and the table are Prisma's, only the runner is ours.
 * @returns the names of the migrations it applied
 * @throws Error when a migration fails, or was edited after it had been applied
 */
export async function migrate(connectionString: string, folder: string = FOLDER): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await client.query(CREATE_TABLE);
    const { rows } = await client.query<{ migration_name: string; checksum: string }>(
      "select migration_name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null",
    );
    const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
    const names = (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
    const done: string[] = [];
    for (const name of names) {
      const sql = await readFile(join(folder, name, "migration.sql"), "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      if (applied.has(name)) {
        if (applied.get(name) !== checksum) throw new Error(`migration ${name} was changed after it had been applied`);
        continue;
      }
      await applyOne(client, name, sql, checksum);
      done.push(name);
    }
    await runMigrations({ connectionString });
    return done;
  } finally {
    await client.end();
  }
}

async function applyOne(client: pg.Client, name: string, sql: string, checksum: string): Promise<void> {
  await client.query("begin");
  try {
    await client.query(sql);
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       values ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
