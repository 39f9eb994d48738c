import pg from "pg";
import { DEFAULT_LIMITS, openStage } from "#bench/stage/stage";

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

/** Starts the production build with default settings on its own PostgreSQL. */
export async function startTarget(settings: Readonly<Record<string, string>> = {}): Promise<Target> {
  const stage = await openStage({ database: null, env: { ...DEFAULT_LIMITS, ...NEEDED, ...settings } });
  try {
    const machine = await stage.addMachine({ name: "target" });
    const db = new pg.Pool({ connectionString: machine.databaseUrl, max: 3 });
    db.on("error", () => {});
    const stop = async () => {
      await db.end();
      // A worker that is asked to stop would wait for its running steps, and the steps of an attack never end.
      await machine.killAll();
      await stage.close();
    };
    return { dataDir: machine.dataDir, url: machine.url ?? "", db, stop };
  } catch (error) {
    await stage.close();
    throw error;
  }
}
