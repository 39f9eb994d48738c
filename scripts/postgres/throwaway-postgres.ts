import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "#scripts/instance/process-identity";
import { type Cluster, startCluster } from "#scripts/postgres/embedded-postgres";
import type { PostgresBinaries } from "#scripts/postgres/postgres-binaries";
import { removePostgresHome, writeRecord } from "#scripts/postgres/postgres-home";

const PREFIX = "signalbox-test-";

/** A PostgreSQL cluster for a single use. */
export interface ThrowawayPostgres {
  /** The cluster's folder. Logs may be there too, and are deleted with it. */
  dataDir: string;
  cluster: Cluster;
  /** Starts the server again after a crash. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

interface ThrowawayOptions {
  settings: Record<string, string>;
  /** By default, any free port. A given port is kept through restarts. */
  port?: number;
  /** The superuser's password. By default, a random one. */
  password?: string;
  /** The programs of a PostgreSQL other than the embedded one. */
  programs?: PostgresBinaries;
}

/** Creates and starts a cluster in a separate folder, and removes the clusters of killed test runs. */
export async function startThrowawayPostgres(given: ThrowawayOptions): Promise<ThrowawayPostgres> {
  const { settings, port, password = randomBytes(12).toString("hex"), programs } = given;
  await sweepLeftovers();
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  await chmod(dataDir, 0o711);
  const options = { dataDir, password, logFile: join(dataDir, "postgres.log"), settings, programs };
  try {
    if (port !== undefined) await writeRecord(dataDir, { port });
    const cluster = await startCluster(options);
    return {
      dataDir,
      cluster,
      restart: async () => {
        await startCluster(options);
      },
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

/** Stops and deletes the clusters of killed test runs. */
async function sweepLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split("-")[0]) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    await removeFolder(join(tmpdir(), name));
  }
}
