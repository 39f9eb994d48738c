import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isDatabaseFault } from "#lib/platform/db/classify-database-error";
import { commandLineOf, isAlive } from "#scripts/instance/process-identity";

export interface Postmaster {
  pid: number;
  port: number;
}

/** Returns a cluster's live server. Null if there is none, or if its id now belongs to another process. */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port] = text.split("\n").map(Number);
  if (!pid || !port) return null;
  return commandLineOf(pid).includes(cluster) ? { pid, port } : null;
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

/**
 * Waits until a live server accepts connections. It may be recovering from a crash, or shutting down.
 * @returns false if it has ended
 * @throws Error if it refuses our password or does not answer in time
 */
export async function waitForPostmaster(pid: number, url: string, seconds: number): Promise<boolean> {
  for (let tries = seconds * 10; tries > 0; tries--) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    // Without a listener, a connection that breaks while it closes would end this process.
    client.on("error", () => {});
    try {
      await client.connect();
      return true;
    } catch (error) {
      if (isWrongPassword(error)) throw wrongPassword();
      if (!isAlive(pid)) return false;
      await sleep(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new Error(`The PostgreSQL server (process ${pid}) runs but did not answer within ${seconds} s.`);
}
