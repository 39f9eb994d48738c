import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { COMPUTE } from "#lib/platform/compute/compute-limits";

/** Every process runs in the root of the project. The folder of this module is another one in the production build. */
const ROOT = realpathSync(process.cwd());
/** Our sources and packages, and none of the instance's data or secrets. */
const READABLE = ["package.json", "lib/*", "node_modules/*"];

/**
 * Starts a process for jobs: no environment, no files but our code, no right to start processes, bounded memory. It
 * ends with its parent, and never keeps its parent alive.
 * @throws Error when it does not become ready
 */
export async function startComputeChild(): Promise<ChildProcess> {
  const child = fork(join(/* turbopackIgnore: true */ ROOT, "lib/platform/compute/child/main.ts"), {
    cwd: ROOT,
    env: { NODE_ENV: "production", TZ: "UTC" },
    execArgv: [
      "--no-warnings",
      "--permission",
      ...READABLE.map((path) => `--allow-fs-read=${join(/* turbopackIgnore: true */ ROOT, path)}`),
      `--max-old-space-size=${COMPUTE.childHeapMegabytes}`,
      "--single-threaded-gc",
    ],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.unref();
  child.channel?.unref();
  // A message that could not be sent leads to the child's exit, and the waiting job is notified of that.
  child.on("error", () => {});
  await untilReady(child);
  return child;
}

async function untilReady(child: ChildProcess): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const timer = setTimeout(() => over.abort(), COMPUTE.startTimeoutMs).unref();
  const ended = once(child, "exit", { signal }).then(([code, killedBy]) => {
    throw new Error(`The process ended while starting: ${killedBy ?? code}`);
  });
  try {
    await Promise.race([once(child, "message", { signal }), ended]);
  } catch (error) {
    child.kill("SIGKILL");
    throw signal.aborted ? new Error("The process did not become ready in time", { cause: error }) : error;
  } finally {
    clearTimeout(timer);
    over.abort();
    ended.catch(() => {});
  }
}
