import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BUILD_FAILURE, BUILD_STAMP } from "#lib/platform/config/web-build";
import { hashFiles } from "#scripts/build/hash-files";
import { identify, tryLock } from "#scripts/instance/process-lock";
import { showStep } from "#scripts/progress";
import { runProgram } from "#scripts/run-program";

/** Everything that the production build depends on. */
const SOURCES = [
  "app",
  "components",
  "docs",
  "lib",
  "public",
  "prisma/schema.prisma",
  "package.json",
  "package-lock.json",
  "next.config.js",
  "postcss.config.mjs",
  "tsconfig.json",
];
const LOCK = "node_modules/.cache/signalbox-build.lock";

/**
 * Creates the production build if there is none or its sources changed.
 * @param logFile receives the output of `next build`
 */
export async function buildWeb(logFile: string, signal?: AbortSignal): Promise<void> {
  const build = await prepareBuild(logFile, signal);
  if (build) await showStep("Building the web application", build);
}

/**
 * Returns a function that creates the production build, or null if there is one of the present sources. From now on, an
 * older build does not count as one (`readWebBuild`).
 * @param logFile receives the output of `next build`
 */
export async function prepareBuild(logFile: string, signal?: AbortSignal): Promise<(() => Promise<void>) | null> {
  if (await isBuilt()) return null;
  await rm(BUILD_STAMP, { force: true });
  await rm(BUILD_FAILURE, { force: true });
  return () => inTurn(() => build(logFile, signal)).catch(noteFailure);
}

async function noteFailure(error: Error): Promise<never> {
  await mkdir(dirname(BUILD_FAILURE), { recursive: true });
  await writeFile(BUILD_FAILURE, error.message);
  throw error;
}

async function isBuilt(): Promise<boolean> {
  return (await readFile(BUILD_STAMP, "utf8").catch(() => "")) === (await hashSources());
}

/**
 * Lets one process build at a time. Two instances may start on one clone at the same time, and the second one uses the
 * first one's build.
 */
async function inTurn(work: () => Promise<void>): Promise<void> {
  await mkdir(dirname(LOCK), { recursive: true });
  while (!(await tryLock(LOCK, identify(process.pid))).isMine) await sleep(500);
  try {
    await work();
  } finally {
    await rm(LOCK, { force: true });
  }
}

async function build(logFile: string, signal?: AbortSignal): Promise<void> {
  if (await isBuilt()) return;
  const wanted = await hashSources();
  await mkdir(dirname(logFile), { recursive: true });
  const log = await open(logFile, "w", 0o600);
  try {
    await runProgram(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
      signal,
      givesWay: true,
      output: log.fd,
      logFile,
      env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    });
  } finally {
    await log.close();
  }
  await writeFile(BUILD_STAMP, wanted);
}

function hashSources(): Promise<string> {
  return hashFiles(SOURCES, (path) => !/\.test\.tsx?$/.test(path) && !path.startsWith("lib/platform/db/generated/"));
}
