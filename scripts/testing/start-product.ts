import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SETTING_NAMES } from "#lib/platform/config/env";
import { removePostgresHome } from "#scripts/postgres/postgres-home";
import { readTail } from "#scripts/run-program";

export interface StartedProduct {
  /** The output of `start --json`. */
  description: string;
  /** Stops the instance and deletes its data. Resolves when nothing of it is left. */
  stop: () => Promise<void>;
}

/**
 * Starts the whole product for tests with its own `start`, on a free port and in a separate data folder.
 * @param options further options of the command
 * @param settings environment variables in addition to those that a start sets
 * @throws Error with the end of the web server's log
 */
export async function startProduct(
  options: string[] = [],
  settings: Record<string, string> = {},
): Promise<StartedProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalbox-e2e-"));
  await chmod(dataDir, 0o711);
  // The settings of the user's shell must not reach the instance under test. An empty one counts as not set.
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of [...SETTING_NAMES, "NEXTAUTH_URL"]) env[name] = "";
  Object.assign(env, { DATA_DIR: dataDir, RUNS_PER_USER_PER_HOUR: "0" }, settings);
  // The test runner's npm sets this. The instance would correctly end with that npm, but may not distinguish that npm's
  // end from ours.
  delete env.npm_lifecycle_event;
  const launcher = spawn(process.execPath, ["scripts/start.mjs", "start", "--json", "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  const stop = async () => {
    await end(launcher);
    await removePostgresHome(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return { description: await firstLine(launcher), stop };
  } catch (error) {
    const log = await readTail(join(dataDir, "logs", "web.log"));
    await stop();
    throw new Error(`The product did not start.\n${log}`, { cause: error });
  }
}

async function firstLine(launcher: ChildProcess): Promise<string> {
  if (!launcher.stdout) throw new Error("no output");
  const lines = createInterface({ input: launcher.stdout });
  const [line] = (await Promise.race([
    once(lines, "line"),
    once(launcher, "exit").then(([code]) => Promise.reject(new Error(`it ended with ${code}`))),
  ])) as [string];
  return line;
}

async function end(launcher: ChildProcess): Promise<void> {
  if (launcher.exitCode !== null || launcher.signalCode !== null) return;
  launcher.kill("SIGTERM");
  await once(launcher, "exit");
}
