import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DEFAULT_LIMITS, launchProduct, untilReady } from "#bench/stage/launch-product";
import { killHard } from "#bench/stage/start-host";
import { findInstance } from "#scripts/instance/instance";
import { removePostgresHome } from "#scripts/postgres/postgres-home";

/** The product under attack. */
export interface Target {
  dataDir: string;
  url: string;
  db: pg.Pool;
  /** Kills the product at once, with everything that the attacker left in it. */
  stop(): Promise<void>;
}

/** Lets the product call the attacker's services, which run on this machine. */
const NEEDED = { OUTBOUND_ALLOW: "127.0.0.1" };
/** By then the launcher no longer replaces processes that end. */
const KILL_AFTER_MS = 500;

/** Starts the production build with default settings on its own PostgreSQL. */
export async function startTarget(settings: Readonly<Record<string, string>> = {}): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-abuse-"));
  await chmod(dataDir, 0o711);
  const launcher = launchProduct(dataDir, 0, { env: { ...DEFAULT_LIMITS, ...NEEDED, ...settings } });
  const end = async () => {
    const processes = (await findInstance(dataDir).catch(() => null))?.processes ?? [];
    launcher.kill("SIGTERM");
    await sleep(KILL_AFTER_MS);
    // A worker would wait for its running steps, and the attack's steps never end.
    for (const { pid } of processes) killHard(pid);
    if (launcher.exitCode === null && launcher.signalCode === null) await once(launcher, "exit");
    await removePostgresHome(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await untilReady(launcher);
    const instance = await findInstance(dataDir);
    if (!instance?.url || !instance.databaseUrl) throw new Error("the instance left no record");
    const db = new pg.Pool({ connectionString: instance.databaseUrl, max: 3 });
    db.on("error", () => {});
    // The address that the server listens on: `localhost` may cost a lookup and an attempt on ::1.
    const url = instance.url.replace("localhost", "127.0.0.1");
    return { dataDir, url, db, stop: () => db.end().then(end) };
  } catch (error) {
    await end();
    throw error;
  }
}
