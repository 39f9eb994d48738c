import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "#scripts/instance/write-private-file";
import { findPostgresBinaries, type PostgresBinaries } from "#scripts/postgres/postgres-binaries";
import { killPostmaster } from "#scripts/postgres/postgres-process";
import { canEnter, type PostgresUser, requirePostgresUser } from "#scripts/postgres/postgres-user";

/**
 * The folder for files that PostgreSQL's user cannot reach in their usual place, for example in a clone below root's
 * home folder.
 */
const OUTSIDE = "/var/lib/signalbox";
const RECORD = "postgres.json";

/** The record about a data folder's cluster. */
interface ClusterRecord {
  /** The last port. It is used again while it is free, so that saved connection strings keep working. */
  port?: number;
  /** The folder below OUTSIDE, if there is one. */
  outside?: string;
}

export interface PostgresHome {
  /** The folder with bin, lib, and share. */
  binaries: string;
  /** The cluster's folder, which may not exist yet. */
  cluster: string;
  user: PostgresUser;
}

/**
 * Decides where a data folder's programs and cluster are and which user runs them, so that this user can reach both.
 * @param programs those of a PostgreSQL other than the embedded one
 */
export async function preparePostgresHome(dataDir: string, programs?: PostgresBinaries): Promise<PostgresHome> {
  const record = await readRecord(dataDir);
  // Random instead of derived from the path, because a new data folder in the place of an old one must not find the old
  // cluster.
  const outside = record.outside ?? join(OUTSIDE, randomBytes(8).toString("hex"));
  const inside = join(dataDir, "postgres");
  // A cluster stays where it was created, even if its user can now enter the data folder.
  const existing = [join(outside, "postgres"), inside].find((folder) => existsSync(folder));
  const user = requirePostgresUser(existing ?? inside);
  const cluster = existing ?? (canEnter(user, dataDir) ? inside : join(outside, "postgres"));
  const { folder, version } = programs ?? (await findPostgresBinaries());
  const isReachable = canEnter(user, join(folder, "bin"));
  if (isReachable && cluster === inside) return { binaries: folder, cluster, user };

  await mkdir(outside, { recursive: true });
  // The umask would reduce mkdir's own mode. The folders are reached by name only, so no one has to list them.
  for (const path of [OUTSIDE, outside]) await chmod(path, 0o711);
  await writeRecord(dataDir, { ...record, outside });
  if (isReachable) return { binaries: folder, cluster, user };
  const copy = join(outside, `postgresql-${version}`);
  if (!existsSync(copy)) await copyWhole(folder, copy);
  return { binaries: copy, cluster, user };
}

/** Copies to a temporary folder and renames it, so that an incomplete copy is never mistaken for a complete one. */
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

/** Deletes a data folder's cluster and its files outside. Stops a server that still runs on it. */
export async function removePostgresHome(dataDir: string): Promise<void> {
  const { outside } = await readRecord(dataDir);
  for (const folder of outside ? [outside, dataDir] : [dataDir]) await killPostmaster(join(folder, "postgres"));
  // The record is an ordinary file, so it must not cause the deletion of any folder but ours.
  if (outside?.startsWith(`${OUTSIDE}/`)) await rm(outside, { recursive: true, force: true });
  await rm(join(dataDir, "postgres"), { recursive: true, force: true });
  await rm(join(dataDir, RECORD), { force: true });
}
