import { appendFile, chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Cluster, startCluster } from "#scripts/postgres/embedded-postgres";
import {
  type PostgresHome,
  preparePostgresHome,
  removePostgresHome,
  writeRecord,
} from "#scripts/postgres/postgres-home";
import type { ThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";

/** A streaming standby of a throwaway cluster. */
export interface Standby {
  cluster: Cluster;
  dataDir: string;
  /** Makes the standby the primary. Resolves when it accepts writes. */
  promote(): Promise<void>;
  remove(): Promise<void>;
}

interface StandbyOptions {
  /**
   * If true, the primary confirms a commit after the standby has it on disk, so a failover loses nothing that was
   * confirmed.
   */
  isSynchronous: boolean;
  /** By default, any free port. */
  port?: number;
  /** The primary's settings: a standby with fewer connections than its primary does not start. */
  settings?: Record<string, string>;
}

const SLOT = "standby";
/** Files that a base backup leaves out (PostgreSQL, "Backing Up the Data Directory"). */
const EXCLUDED = new Set(["postmaster.pid", "postmaster.opts", "pg_internal.init"]);
const EMPTIED = new Set([
  ...["pg_dynshmem", "pg_notify", "pg_replslot", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans", "pg_wal"],
  "pgsql_tmp",
]);

/**
 * Starts a standby that streams from `primary`, which may be under load. Copies the cluster with PostgreSQL's low-level
 * backup functions, because the embedded binaries have no pg_basebackup. Resolves when the standby has caught up.
 */
export async function startStandby(primary: ThrowawayPostgres, options: StandbyOptions): Promise<Standby> {
  const password = new URL(primary.cluster.url("postgres")).password;
  const source = await preparePostgresHome(primary.dataDir);
  // If this process is killed, the next test run removes the folder (scripts/postgres/throwaway-postgres.ts).
  const dataDir = await mkdtemp(join(tmpdir(), `signalbox-test-${process.pid}-`));
  await chmod(dataDir, 0o711);
  const remove = async () => {
    await removePostgresHome(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const home = await preparePostgresHome(dataDir);
    await copyPrimary(primary.cluster, { from: source.cluster, home, password });
    if (options.port !== undefined) await writeRecord(dataDir, { port: options.port });
    const { settings = {} } = options;
    const cluster = await startCluster({ dataDir, password, settings, logFile: join(dataDir, "postgres.log") });
    await onServer(primary.cluster.url("postgres"), (client) => follow(client, options.isSynchronous));
    return { cluster, dataDir, promote: () => promote(cluster), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function copyPrimary(
  primary: Cluster,
  { from, home, password }: { from: string; home: PostgresHome; password: string },
): Promise<void> {
  await onServer(primary.url("postgres"), async (client) => {
    // The slot keeps the log from the start of the copy until the standby has read it.
    await client.query("select pg_create_physical_replication_slot($1, true)", [SLOT]);
    await client.query("select pg_backup_start($1, true)", ["standby"]);
    await copyFolder(from, home.cluster, home);
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
    await writeOwned(join(home.cluster, "backup_label"), rows[0]?.labelfile ?? "", home);
  });
  await writeOwned(join(home.cluster, "standby.signal"), "", home);
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${password} application_name=${SLOT}`;
  // The last line of a setting takes effect. A copy of a primary that waits for standbys must not wait for standbys
  // itself.
  const settings = { primary_conninfo: source, primary_slot_name: SLOT, synchronous_standby_names: "" };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(home.cluster, "postgresql.auto.conf"), lines.join(""));
}

/** Copies a cluster that may be in use. Files that disappear during the copy belong to dropped tables. */
async function copyFolder(from: string, to: string, home: PostgresHome): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  if (home.user) await chown(to, home.user.uid, home.user.gid);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (EXCLUDED.has(entry.name)) continue;
    if (entry.isDirectory()) {
      if (EMPTIED.has(entry.name)) await copyFolders(source, target, home);
      else await copyFolder(source, target, home);
      continue;
    }
    try {
      await copyFile(source, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
      throw error;
    }
    if (home.user) await chown(target, home.user.uid, home.user.gid);
  }
}

/** Copies a folder without its files, because the server expects the folders in pg_wal. */
async function copyFolders(from: string, to: string, home: PostgresHome): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  if (home.user) await chown(to, home.user.uid, home.user.gid);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const isKept = entry.isDirectory() && from.endsWith("pg_wal");
    if (isKept) await copyFolders(join(from, entry.name), join(to, entry.name), home);
  }
}

async function writeOwned(path: string, text: string, home: PostgresHome): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  if (home.user) await chown(path, home.user.uid, home.user.gid);
}

/** Waits until the standby streams and has everything that is committed so far. */
async function follow(client: pg.Client, isSynchronous: boolean): Promise<void> {
  if (isSynchronous) {
    await client.query(`alter system set synchronous_standby_names = '${SLOT}'`);
    await client.query("select pg_reload_conf()");
  }
  await untilTrue(
    client,
    `select exists (select 1 from pg_stat_replication
       where application_name = '${SLOT}' and state = 'streaming' and flush_lsn = pg_current_wal_flush_lsn()
         and sync_state = '${isSynchronous ? "sync" : "async"}') as holds`,
  );
}

async function promote(cluster: Cluster): Promise<void> {
  await onServer(cluster.url("postgres"), async (client) => {
    await client.query("select pg_promote(true, 60)");
    await untilTrue(client, "select not pg_is_in_recovery() as holds");
  });
}

const UNTIL_TRIES = 600;

async function untilTrue(client: pg.Client, query: string): Promise<void> {
  for (let tries = UNTIL_TRIES; tries > 0; tries--) {
    if ((await client.query<{ holds: boolean }>(query)).rows[0]?.holds) return;
    await sleep(100);
  }
  throw new Error(`This did not become true within a minute: ${query}`);
}

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
