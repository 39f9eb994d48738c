import { existsSync } from "node:fs";
import { chown, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findFreePort, isPortFree } from "#scripts/instance/find-free-port";
import type { PostgresBinaries } from "#scripts/postgres/postgres-binaries";
import { type PostgresHome, preparePostgresHome, readRecord, writeRecord } from "#scripts/postgres/postgres-home";
import { findPostmaster, waitForPostmaster } from "#scripts/postgres/postgres-process";
import { runProgram } from "#scripts/run-program";

export interface Cluster {
  port: number;
  /** Returns the superuser's URL of one of the cluster's databases. */
  url(database: string): string;
  isRunning(): Promise<boolean>;
  /** @param mode `immediate` only for throwaway clusters */
  stop(mode?: "fast" | "immediate"): Promise<void>;
}

interface ClusterOptions {
  /** The folder with the cluster and its record. */
  dataDir: string;
  password: string;
  logFile: string;
  /**
   * Settings in addition to those that make the cluster ours. Durability keeps PostgreSQL's defaults unless a test
   * changes it.
   */
  settings?: Record<string, string>;
  /** The programs of a PostgreSQL other than the embedded one. */
  programs?: PostgresBinaries;
}

const SUPERUSER = "postgres";
/** How long pg_ctl waits. It ends at once if the server ends. */
const START_SECONDS = 600;
/** The number of attempts. Another process may take the port between our check and the server's bind. */
const PORT_ATTEMPTS = 3;
/** The first PostgreSQL version with the built-in locale. */
const FIRST_WITH_BUILTIN = 17;

/**
 * The settings of every cluster. Only loopback and passwords: other users of a shared machine use the same loopback.
 */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
};

/**
 * Starts a data folder's PostgreSQL, which the first start creates. Reuses a server that a killed launcher left
 * running, and removes the leftovers of a dead one.
 * @throws Error that says what to do
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const home = await preparePostgresHome(options.dataDir, options.programs);
  if (!existsSync(join(home.cluster, "PG_VERSION"))) await createCluster(home, options);
  await requireSameMajor(home);
  const port = (await takeOver(home.cluster, options.password)) ?? (await startServer(home, options));
  return {
    port,
    url: (database) => clusterUrl(port, options.password, database),
    isRunning: async () => (await findPostmaster(home.cluster)) !== null,
    stop: (mode = "fast") => stopServer(home, options.logFile, mode),
  };
}

function clusterUrl(port: number, password: string, database: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

async function createCluster(home: PostgresHome, options: ClusterOptions): Promise<void> {
  // An interrupted initdb leaves a folder that looks like a cluster, so the folder gets its final name when initdb is
  // done.
  const unfinished = `${home.cluster}.new`;
  const passwordFile = `${home.cluster}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    await rm(passwordFile, { force: true });
    await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
    if (home.user) {
      for (const path of [unfinished, passwordFile]) await chown(path, home.user.uid, home.user.gid);
    }
    // The built-in locale is the same on every system: it needs neither LANG nor a system locale.
    const builtin = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    const locale = ["--encoding=UTF8", "--locale=C", ...((await majorOf(home)) < FIRST_WITH_BUILTIN ? [] : builtin)];
    await run(home, options.logFile, "initdb", [
      `--pgdata=${unfinished}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      ...locale,
      "--no-instructions",
    ]);
    await rename(unfinished, home.cluster);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Returns the port of the server that already runs on the cluster, or null if there is none. */
async function takeOver(cluster: string, password: string): Promise<number | null> {
  const postmaster = await findPostmaster(cluster);
  if (!postmaster) {
    // PostgreSQL would trust the file as soon as another process has the same id.
    await rm(join(cluster, "postmaster.pid"), { force: true });
    return null;
  }
  const url = clusterUrl(postmaster.port, password, "postgres");
  return (await waitForPostmaster(postmaster.pid, url)) ? postmaster.port : null;
}

async function startServer(home: PostgresHome, options: ClusterOptions): Promise<number> {
  const record = await readRecord(options.dataDir);
  let failure: unknown;
  for (let attempt = 1; attempt <= PORT_ATTEMPTS; attempt++) {
    const known = record.port !== undefined && (await isPortFree(record.port)) ? record.port : undefined;
    const port = attempt === 1 && known !== undefined ? known : await findFreePort(0);
    const settings = Object.entries({ ...SETTINGS, ...options.settings, port: String(port) })
      .map(([name, value]) => `-c ${name}='${value}'`)
      .join(" ");
    try {
      await run(home, options.logFile, "pg_ctl", [
        "start",
        "-w",
        "-t",
        `${START_SECONDS}`,
        "-D",
        home.cluster,
        "-o",
        settings,
      ]);
      await writeRecord(options.dataDir, { ...record, port });
      return port;
    } catch (error) {
      failure = error;
      // The server started, but later than pg_ctl waits, because it recovered from a crash for a long time.
      const late = await takeOver(home.cluster, options.password);
      if (late !== null) return late;
    }
  }
  throw failure;
}

async function stopServer(home: PostgresHome, logFile: string, mode: string): Promise<void> {
  if (!(await findPostmaster(home.cluster))) return;
  await run(home, logFile, "pg_ctl", ["stop", "-w", "-t", "60", "-m", mode, "-D", home.cluster]);
}

async function requireSameMajor(home: PostgresHome): Promise<void> {
  const made = (await readFile(join(home.cluster, "PG_VERSION"), "utf8")).trim();
  const present = await majorOf(home);
  if (made === String(present)) return;
  throw new Error(
    `The database in ${home.cluster} was made by PostgreSQL ${made}, but this is ${present}. Dump it with the old version and load it into the new one, or start over with --reset.`,
  );
}

async function majorOf({ binaries }: PostgresHome): Promise<number> {
  const { output } = await runProgram(join(binaries, "bin", "postgres"), ["--version"]);
  return Number(/(\d+)/.exec(output)?.[1]);
}

/** Runs one of PostgreSQL's programs as PostgreSQL's user, with its own environment. The output goes to the log. */
async function run(home: PostgresHome, logFile: string, program: string, args: string[]): Promise<void> {
  await mkdir(dirname(logFile), { recursive: true });
  // We open the log and the program inherits it, so PostgreSQL's user needs no access to the log's folder.
  const log = await open(logFile, "a", 0o600);
  try {
    await runProgram(join(home.binaries, "bin", program), args, {
      ...home.user,
      // The user may not be able to enter the current folder.
      cwd: "/",
      // In our process group, Ctrl-C would end it in the middle of its work.
      detached: true,
      env: { PATH: process.env.PATH, LC_ALL: "C" } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv,
      output: log.fd,
      logFile,
    });
  } finally {
    await log.close();
  }
}
