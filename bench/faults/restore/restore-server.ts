import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { runInVault, type Vault } from "#bench/faults/restore/back-up";
import { readGuideCommand, runCommand } from "#bench/faults/restore/guide-commands";
import { DATABASE_PORT, SETTINGS, type Site } from "#bench/faults/restore/open-source";
import { createDatabase } from "#bench/stage/database";
import { until } from "#bench/stage/until";
import { startCluster } from "#scripts/postgres/embedded-postgres";
import { preparePostgresHome, removePostgresHome, writeRecord } from "#scripts/postgres/postgres-home";
import { startThrowawayPostgres } from "#scripts/postgres/throwaway-postgres";

/** A PostgreSQL server with a restored database. */
export interface RestoredServer {
  remove(): Promise<void>;
}

/** Loads the dump into a new server. */
export async function restoreDump({ programs, password }: Site, vault: Vault): Promise<RestoredServer> {
  const server = await startThrowawayPostgres({ settings: SETTINGS, port: DATABASE_PORT, password, programs });
  await createDatabase(server.cluster.url("postgres"), password);
  await runInVault(vault, "pg_restore");
  return server;
}

/**
 * Rebuilds a server from the copy of the data folder and the archived log.
 * @param target the time to restore to. Without it, the whole archive is restored.
 */
export async function restoreArchive(site: Site, vault: Vault, target?: Date): Promise<RestoredServer> {
  const { programs, password } = site;
  // If this process is killed, the next run removes the folder (scripts/postgres/throwaway-postgres.ts).
  const dataDir = await mkdtemp(join(tmpdir(), `signalbox-test-${process.pid}-`));
  await chmod(dataDir, 0o711);
  const home = await preparePostgresHome(dataDir, programs);
  await mkdir(home.cluster, { recursive: true, mode: 0o700 });
  if (home.user) await chown(home.cluster, home.user.uid, home.user.gid);
  const env = { ...vault.env, PGDATA: home.cluster };
  await runCommand(aimAt(await readGuideCommand("cp -R base/."), target), { cwd: vault.folder, env, ...vault.user });
  await writeRecord(dataDir, { port: DATABASE_PORT });
  const log = { logFile: join(dataDir, "postgres.log"), settings: SETTINGS };
  const cluster = await startCluster({ dataDir, password, programs, ...log });
  await untilRestored(cluster.url("postgres"));
  return {
    remove: async () => {
      await cluster.stop("immediate");
      await removePostgresHome(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const TARGET = /^recovery_target_time = .*\n/m;

/** Writes the target time into the guide's command, or removes the command's line for it. */
function aimAt(code: string, target?: Date): string {
  // This setting does not accept the T and the Z of ISO 8601.
  const time = target?.toISOString().replace("T", " ").replace("Z", "+00");
  return code.replace(TARGET, time === undefined ? "" : `recovery_target_time = '${time}'\n`);
}

async function untilRestored(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await until("the end of the recovery", async () => {
      const { rows } = await client.query<{ isOver: boolean }>('select not pg_is_in_recovery() as "isOver"');
      return rows[0]?.isOver;
    });
  } finally {
    await client.end();
  }
}
