import { type ChildProcess, fork } from "node:child_process";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "#lib/contract/limits";
import { awaitReady } from "#lib/platform/child-pool/await-ready";
import { type FairPool, openFairPool } from "#lib/platform/child-pool/open-fair-pool";
import type { ComputeJob, ComputeReply } from "#lib/platform/compute/compute-jobs";
import { COMPUTE } from "#lib/platform/compute/compute-limits";
import { shareInProcess } from "#lib/support/share-in-process";

const pool: FairPool<ComputeReply> = shareInProcess("compute-children", () =>
  openFairPool<ComputeReply>({
    start: startComputeChild,
    children: { shared: COMPUTE.sharedChildren, reserved: COMPUTE.reservedChildren },
    queue: { calls: LIMITS.computeQueuedJobs, bytes: LIMITS.computeQueuedBytes },
    callsPerChild: COMPUTE.jobsPerChild,
    killMs: COMPUTE.killMs,
  }),
);

export interface JobTurn {
  workspaceId: string;
  /** About how large the job is. */
  bytes: number;
  signal: AbortSignal;
}

/**
 * Does a job in a child process. Workspaces take turns, and the job's time starts with its turn. A job that uses too
 * much CPU time, or gets none for long, is killed with its child.
 * @throws PoolError, or the signal's reason
 */
export function askComputeChild(message: ComputeJob, turn: JobTurn): Promise<ComputeReply> {
  return pool.run({ ...turn, message, timeoutMs: COMPUTE.jobTimeoutMs, cpuMs: LIMITS.computeJobMs });
}

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
  // Its errors go to our own stderr.
  await awaitReady(child, () => "");
  return child;
}
