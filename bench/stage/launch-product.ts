import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface LaunchSettings {
  workers?: number;
  /** A folder for CPU profiles of all processes. */
  profile?: string | undefined;
  env?: Record<string, string>;
}

/** Variables of the user's environment that must not reach the measured instance. */
const UNSET =
  "DATABASE_URL DATABASE_URL_DIRECT DATABASE_POOL_SIZE HOST PORT PUBLIC_BASE_URL WEBHOOK_BASE_URL NEXTAUTH_URL NEXTAUTH_SECRET ENCRYPTION_KEYS OUTBOUND_ALLOW WORKER_CONCURRENCY LOG_LEVEL";
const LIMITS = ["RUNS_PER_USER_PER_HOUR", "REQUESTS_PER_WINDOW", "RUNS_PER_MONTH", "WEBHOOK_REQUESTS_PER_MINUTE"];
/** Turns off the limits, which would end the load. A separate benchmark measures them. */
const NO_LIMITS = Object.fromEntries(LIMITS.map((name) => [name, "0"]));
/** Restores the default limits, for a benchmark of the limits themselves. */
export const DEFAULT_LIMITS = Object.fromEntries(LIMITS.map((name) => [name, ""]));

/**
 * Runs `npm start` on a data folder, with default durability.
 * @param port 0 for any free port
 */
export function launchProduct(
  dataDir: string,
  port: number,
  { workers = 1, profile, env = {} }: LaunchSettings,
): ChildProcess {
  const given: NodeJS.ProcessEnv = {
    ...launchEnvironment(),
    DATA_DIR: dataDir,
    WORKERS: String(workers),
    ...(profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` } : {}),
    ...env,
  };
  return spawn(process.execPath, ["scripts/start.mjs", "start", "--json", "--no-seed", "--port", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: given,
  });
}

/**
 * Returns the environment of an instance without limits. The instance ends with this process, not with the npm that
 * started it.
 */
export function launchEnvironment(): NodeJS.ProcessEnv {
  const unset = Object.fromEntries(UNSET.split(" ").map((name) => [name, ""]));
  const launchedBy = String(process.pid);
  const given: NodeJS.ProcessEnv = { ...process.env, ...unset, ...NO_LIMITS, ROLE: "", LAUNCHED_BY: launchedBy };
  delete given.npm_lifecycle_event;
  return given;
}

/** Resolves when the instance reports that it is ready. */
export async function untilReady(launcher: ChildProcess): Promise<void> {
  if (!launcher.stdout) throw new Error("the launcher has no output");
  const lines = createInterface({ input: launcher.stdout });
  const ended = once(launcher, "exit").then(([code]) => Promise.reject(new Error(`the product ended with ${code}`)));
  await Promise.race([once(lines, "line"), ended]);
}

export async function endProduct(launcher: ChildProcess): Promise<void> {
  if (launcher.exitCode !== null || launcher.signalCode !== null) return;
  launcher.kill("SIGTERM");
  await once(launcher, "exit");
}
