import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isDatabaseFault, wasRefused } from "#lib/platform/db/classify-database-error";
import { commandLineOf, isAlive } from "#scripts/instance/process-identity";

export interface Postmaster {
  pid: number;
  port: number;
}

/** Returns a cluster's live server. Null if there is none, or if its id now belongs to another process. */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const [pid, , , port] = readPidFile(cluster).split("\n").map(Number);
  if (!pid || !port) return null;
  return commandLineOf(pid).includes(cluster) ? { pid, port } : null;
}

/** Reads in this thread: the launcher looks every two seconds, and an asynchronous read wakes other threads four times. */
function readPidFile(cluster: string): string {
  try {
    return readFileSync(join(cluster, "postmaster.pid"), "utf8");
  } catch {
    return "";
  }
}

export function isWrongPassword(error: unknown): boolean {
  return isDatabaseFault(error, "authentication_failed");
}

export function wrongPassword(): Error {
  return new Error("The database refuses the password in secrets.json: restore that file, or start over with --reset.");
}

/** Stops a throwaway cluster's server. */
export async function killPostmaster(cluster: string): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (!postmaster) return;
  // This is PostgreSQL's immediate shutdown. SIGKILL would leave its children running.
  process.kill(postmaster.pid, "SIGQUIT");
  while (isAlive(postmaster.pid)) await sleep(20);
}

/** A server that does not answer for so long will not answer. */
const SILENCE_MAX_MS = 600_000;
const ATTEMPT_MS = 2_000;
const ATTEMPT_MAX_MS = 60_000;

/**
 * Waits until a live server accepts connections, for as long as it answers. It may be recovering from a crash, or
 * shutting down. An attempt that times out is repeated with more time, because the machine may be busy.
 * @returns false if it has ended
 * @throws Error if it refuses our password, or runs but does not answer for ten minutes
 */
export async function waitForPostmaster(
  pid: number,
  url: string,
  { attemptMs = ATTEMPT_MS, now = () => performance.now() } = {},
): Promise<boolean> {
  let answeredMs = now();
  for (let timeoutMs = attemptMs; ; timeoutMs = Math.min(timeoutMs * 2, ATTEMPT_MAX_MS)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
    // Without a listener, a connection that breaks while it closes would end this process.
    client.on("error", () => {});
    try {
      await client.connect();
      return true;
    } catch (error) {
      if (isWrongPassword(error)) throw wrongPassword();
      if (!isAlive(pid)) return false;
      // It says that it starts, recovers, or stops.
      if (wasRefused(error)) answeredMs = now();
      if (now() - answeredMs > SILENCE_MAX_MS) throw silent(pid);
      await sleep(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

function silent(pid: number): Error {
  return new Error(
    `The PostgreSQL server (process ${pid}) runs, but has not answered for ${SILENCE_MAX_MS / 60_000} minutes. Look for the reason in logs/postgres.log of the data folder. If you stop the process, the next start starts it again.`,
  );
}
