import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readSecretFiles } from "#lib/platform/config/read-secret-files";
import { LAUNCHER_CONNECTIONS } from "#lib/platform/db/connection-budget";
import { buildWeb, prepareBuild } from "#scripts/build/build-web";
import { generatePrisma } from "#scripts/build/generate-prisma";
import { formatBanner, formatJson, type ReadyInstance, writeDemoFile } from "#scripts/instance/banner";
import { Cleanup } from "#scripts/instance/cleanup";
import { instanceEnvironment, isLoopback, listenAddress } from "#scripts/instance/environment";
import { findFreePort } from "#scripts/instance/find-free-port";
import { claimInstance } from "#scripts/instance/instance";
import { isLoggedToStdout } from "#scripts/instance/open-log";
import { type LaunchOptions, parseOptions, USAGE } from "#scripts/instance/options";
import { prepareDatabase } from "#scripts/instance/prepare-database";
import { startProcesses } from "#scripts/instance/processes";
import { loadSecrets, type Secrets, saveSecrets } from "#scripts/instance/secrets";
import { stopSignal } from "#scripts/instance/stop-signal";
import { type Database, openDatabase } from "#scripts/postgres/database";
import { findConnectionShortage } from "#scripts/postgres/find-connection-shortage";
import { removePostgresHome } from "#scripts/postgres/postgres-home";
import { showStep } from "#scripts/progress";

export type Mode = "production" | "development";

/** The interval of the checks of the embedded PostgreSQL. */
const DATABASE_CHECK_MS = 2_000;

/** The commands `start` and `dev`: start the instance, print how to use it, and stop it on request. */
export async function launch(mode: Mode, args: string[]): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const launchedBy = process.env.LAUNCHED_BY ? Number(process.env.LAUNCHED_BY) : null;
  delete process.env.LAUNCHED_BY;
  const options = readOptions(args);
  if (!options) return;
  const stop = stopSignal(launchedBy);
  const cleanup = new Cleanup();
  try {
    const ready = await start({ mode, options, launchedBy, cleanup, stop });
    if (ready !== null) {
      await writeDemoFile(ready);
      announce(ready, options);
      void ready.pages?.ended.then((text) => process.stderr.write(text));
      await new Promise((done) => (stop.aborted ? done(null) : stop.addEventListener("abort", done)));
      process.stderr.write("\n");
    }
  } catch (error) {
    if (!stop.aborted) {
      process.exitCode = 1;
      process.stderr.write(`\n${(error as Error).message}\n`);
    }
  }
  await cleanup.run();
  process.exit();
}

/** Prints how to use the instance. The text for people must not mix with logs, which programs read line by line. */
function announce(ready: ReadyInstance, options: LaunchOptions): void {
  if (options.json) process.stdout.write(`${formatJson(ready)}\n`);
  else (isLoggedToStdout(process.env) ? process.stderr : process.stdout).write(formatBanner(ready));
}

function readOptions(args: string[]): LaunchOptions | null {
  try {
    readSecretFiles(process.env);
    const options = parseOptions(args, process.env);
    if (!options) process.stdout.write(`${USAGE}\n`);
    return options;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    process.exitCode = 1;
    return null;
  }
}

interface Start {
  mode: Mode;
  options: LaunchOptions;
  launchedBy: number | null;
  cleanup: Cleanup;
  stop: AbortSignal;
}

/** @returns null if the role only applies migrations, which is done */
async function start({ mode, options, launchedBy, cleanup, stop }: Start): Promise<ReadyInstance | null> {
  const { role } = options;
  const dataDir = resolve(process.env.DATA_DIR || ".data");
  // PostgreSQL's user must reach its cluster, but does not have to list this folder.
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const claim = await claimInstance(dataDir, launchedBy);
  cleanup.add(() => claim.release());
  stop.addEventListener("abort", () => void claim.update({ state: "stopping" }));
  if (options.reset) await reset(dataDir);
  const secrets = await loadSecrets(dataDir);
  await generatePrisma();
  const logFile = join(dataDir, "logs", "build.log");
  const pages = mode === "production" && role === "all" ? await startBuild(logFile, stop) : null;
  // Behind a load balancer, a machine that takes requests must have its pages.
  if (mode === "production" && role === "web") await buildWeb(logFile, stop);
  const database = await startDatabase(dataDir, secrets, cleanup);
  const shortage = await findConnectionShortage(database.url, role);
  if (shortage) process.stderr.write(`  Warning: ${shortage}\n`);
  const host = listenAddress(process.env.HOST);
  const settings = { mode, dataDir, host, databaseUrl: database.url, secrets, role };
  const isMigrating = role === "all" || role === "migrate";
  const demo = !isMigrating
    ? null
    : await prepareDatabase({
        env: instanceEnvironment({ ...settings, port: options.port }),
        demo: options.seed ? { password: secrets.demoPassword, rawKey: secrets.demoKey } : null,
      });
  if (role === "migrate") return null;
  if (demo && demo.rawKey !== secrets.demoKey) await saveSecrets(dataDir, { ...secrets, demoKey: demo.rawKey });
  stop.throwIfAborted();
  const port = role === "worker" ? options.port : await findListenPort(options.port, host);
  const env = instanceEnvironment({ ...settings, port });
  // Silences the supervisor's own logs. The terminal gets its own messages.
  Object.assign(process.env, env, { LOG_LEVEL: "silent", DATABASE_POOL_SIZE: String(LAUNCHER_CONNECTIONS) });

  const url = env.PUBLIC_BASE_URL ?? "";
  await claim.update({ url, databaseUrl: database.url });
  await startProcesses({ role, mode, host, port, env, dataDir, database, claim, cleanup, stop });
  await claim.update({ state: "running" });
  const logs = isLoggedToStdout(env) ? null : join(dataDir, "logs");
  return { role, url, dataDir, logs, demo, isFirst: secrets.demoKey === undefined, pages };
}

/**
 * Builds the pages if that is necessary, while everything else starts. Programs need no pages, so a failure does not end
 * the instance.
 * @returns null if there is nothing to build, or else what to say in the end
 */
async function startBuild(logFile: string, stop: AbortSignal): Promise<{ ended: Promise<string> } | null> {
  const build = await prepareBuild(logFile, stop);
  if (!build) return null;
  const started = performance.now();
  const say = () => `  The web interface is ready (${((performance.now() - started) / 1_000).toFixed(0)} s).\n`;
  const explain = (error: Error) =>
    stop.aborted ? "" : `\n${error.message}\nThe web interface could not be built. Everything else works.\n`;
  return { ended: build().then(say, explain) };
}

async function reset(dataDir: string): Promise<void> {
  if (process.env.DATABASE_URL) {
    throw new Error("--reset deletes the embedded database only, and DATABASE_URL names another one.");
  }
  await showStep("Deleting the old database, secrets and logs", async () => {
    await removePostgresHome(dataDir);
    for (const name of ["secrets.json", "demo.txt", "logs"])
      await rm(join(dataDir, name), { recursive: true, force: true });
  });
}

async function startDatabase(dataDir: string, secrets: Secrets, cleanup: Cleanup): Promise<Database> {
  const isGiven = Boolean(process.env.DATABASE_URL);
  const database = await showStep(isGiven ? "Connecting to the database" : "Starting PostgreSQL", () =>
    openDatabase(dataDir, secrets.postgresPassword),
  );
  cleanup.add(() => (database.isEmbedded ? showStep("Stopping PostgreSQL", () => database.close()) : undefined));
  const watch = setInterval(() => {
    database.revive().catch((error: Error) => process.stderr.write(`  ${error.message}\n`));
  }, DATABASE_CHECK_MS);
  cleanup.add(() => clearInterval(watch));
  return database;
}

async function findListenPort(wanted: number, host: string): Promise<number> {
  const port = await findFreePort(wanted, host);
  if (wanted !== 0 && port !== wanted) process.stderr.write(`  Port ${wanted} is taken, using ${port}.\n`);
  warnAboutNetwork(host, port);
  return port;
}

function warnAboutNetwork(host: string, port: number): void {
  if (isLoopback(host)) return;
  process.stderr.write(
    `  Warning: HOST=${host} opens port ${port} to other machines, without encryption. Put a TLS proxy in front of it\n` +
      "  and set PUBLIC_BASE_URL to the address people use; requests for other host names are refused.\n",
  );
}
