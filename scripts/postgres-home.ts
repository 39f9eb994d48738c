import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { findPostgresBinaries } from "#scripts/postgres-binaries";
import { killPostmaster } from "#scripts/postgres-process";
import { canEnter, type PostgresUser, requirePostgresUser } from "#scripts/postgres-user";
import { writePrivateFile } from "#scripts/write-private-file";

/** Holds what PostgreSQL's user must reach and cannot where it belongs, as in a clone below root's home folder. */
const OUTSIDE = "/var/lib/signalbox";
const RECORD = "postgres.json";

/** What is remembered about the cluster of a data folder. */
interface ClusterRecord {
  /** The last port; taken again while it is free, so that a noted connection string stays true. */
  port?: number;
  /** The folder below OUTSIDE, where there is one. */
  outside?: string;
}

export interface PostgresHome {
  /** Holds bin, lib and share. */
  binaries: string;
  /** The cluster; it may not exist yet. */
  cluster: string;
  user: PostgresUser;
}

/** Decides where the programs and the cluster of a data folder lie and who runs them, so that he can reach both. */
export async function preparePostgresHome(dataDir: string): Promise<PostgresHome> {
  const record = await readRecord(dataDir);
  // Random, not made from the path: a new data folder in an old one's place must not meet the old one's cluster.
  const outside = record.outside ?? join(OUTSIDE, randomBytes(8).toString("hex"));
  const inside = join(dataDir, "postgres");
  // A cluster stays where it was made, also when the folder has become reachable since.
  const existing = [join(outside, "postgres"), inside].find((folder) => existsSync(folder));
  const user = requirePostgresUser(existing ?? inside);
  const cluster = existing ?? (canEnter(user, dataDir) ? inside : join(outside, "postgres"));
  const { folder, version } = await findPostgresBinaries();
  const isReachable = canEnter(user, join(folder, "bin"));
  if (isReachable && cluster === inside) return { binaries: folder, cluster, user };

  await mkdir(outside, { recursive: true });
  // mkdir's own mode would be cut by the umask. Reached by name only: nobody need list them.
  for (const path of [OUTSIDE, outside]) await chmod(path, 0o711);
  await writeRecord(dataDir, { ...record, outside });
  if (isReachable) return { binaries: folder, cluster, user };
  const copy = join(outside, `postgresql-${version}`);
  if (!existsSync(copy)) await copyWhole(folder, copy);
  return { binaries: copy, cluster, user };
}

/** Copies beside and renames: a copy that was cut short is not taken for a whole one. */
async function copyWhole(from: string, to: string): Promise<void> {
  const temporary = `${to}.${randomBytes(4).toString("hex")}`;
  await cp(from, temporary, { recursive: true, verbatimSymlinks: true });
  await chmod(temporary, 0o755);
  await rename(temporary, to);
}

export async function readRecord(dataDir: string): Promise<ClusterRecord> {
  try {
    return JSON.parse(await readFile(join(dataDir, RECORD), "utf8")) as ClusterRecord;
  } catch {
    return {};
  }
}

export async function writeRecord(dataDir: string, record: ClusterRecord): Promise<void> {
  await writePrivateFile(join(dataDir, RECORD), `${JSON.stringify(record)}\n`);
}

/** Deletes the cluster of a data folder and what was kept outside for it; a server that still runs on it is ended. */
export async function removePostgresHome(dataDir: string): Promise<void> {
  const { outside } = await readRecord(dataDir);
  for (const folder of outside ? [outside, dataDir] : [dataDir]) await killPostmaster(join(folder, "postgres"));
  // The record is a file like any other: on its word only a folder of ours is deleted.
  if (outside?.startsWith(`${OUTSIDE}/`)) await rm(outside, { recursive: true, force: true });
  await rm(join(dataDir, "postgres"), { recursive: true, force: true });
  await rm(join(dataDir, RECORD), { force: true });
}
