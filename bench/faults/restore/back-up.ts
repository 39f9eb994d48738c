import { chown, mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import pg from "pg";
import { type RunningCommand, readGuideCommand, runCommand, startCommand } from "#bench/faults/restore/guide-commands";
import type { Site } from "#bench/faults/restore/open-source";
import { until } from "#bench/stage/until";
import { preparePostgresHome } from "#scripts/postgres/postgres-home";
import type { PostgresUser } from "#scripts/postgres/postgres-user";

/** The folder with the backups, and the environment and user for the guide's commands. */
export interface Vault {
  folder: string;
  env: NodeJS.ProcessEnv;
  user: PostgresUser;
}

/** Creates the folder for the user that runs PostgreSQL. */
export async function openVault({ folder: parent, programs, source, databaseUrl }: Site): Promise<Vault> {
  const { user } = await preparePostgresHome(source.dataDir, programs);
  const folder = join(parent, "backups");
  await mkdir(folder, { mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
  const env = {
    PATH: [join(programs.folder, "bin"), process.env.PATH].join(delimiter),
    DATABASE_URL: databaseUrl,
    REPLICATION_URL: source.cluster.url("postgres"),
  } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv;
  return { folder, env, user };
}

/** Runs one of the guide's commands in the backup folder, as the user that runs PostgreSQL. */
export async function runInVault({ folder, env, user }: Vault, start: string): Promise<void> {
  await runCommand(await readGuideCommand(start), { cwd: folder, env, ...user });
}

/** Starts receiving the log. From then on, every commit waits until the archive has it. */
export async function startArchive(vault: Vault, { source }: Site): Promise<RunningCommand> {
  const { folder, env, user } = vault;
  await mkdir(join(folder, "wal"), { mode: 0o700 });
  if (user) await chown(join(folder, "wal"), user.uid, user.gid);
  const receive = 'pg_receivewal --dbname="$REPLICATION_URL" --slot=signalbox';
  await runInVault(vault, `${receive} --create-slot`);
  const code = await readGuideCommand(`${receive} --directory=wal`);
  const receiver = startCommand(code, { cwd: folder, env, ...user });
  const client = new pg.Client({ connectionString: source.cluster.url("postgres") });
  await client.connect();
  try {
    await client.query("alter system set synchronous_standby_names = 'pg_receivewal'");
    await client.query("select pg_reload_conf()");
    await until("the archive to confirm commits", async () => {
      const { rows } = await client.query("select from pg_stat_replication where sync_state = 'sync'");
      return rows.length === 1;
    });
  } finally {
    await client.end();
  }
  return receiver;
}
