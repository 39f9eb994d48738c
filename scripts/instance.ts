import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "#scripts/process-identity";
import { findHolder, identify, isSameProcess, type ProcessIdentity, tryLock } from "#scripts/process-lock";
import { writePrivateFile } from "#scripts/write-private-file";

/** What is known about the instance that runs on a data folder: the content of its lock. */
export interface Instance extends ProcessIdentity {
  state: "starting" | "running" | "stopping";
  /** The process that this one ends with (npm); null when there is none. */
  launchedBy: number | null;
  url: string | null;
  databaseUrl: string | null;
  processes: (ProcessIdentity & { name: string })[];
}

export interface InstanceClaim {
  update(change: Partial<Instance>): Promise<void>;
  release(): Promise<void>;
}

const FILE = "instance.json";
const POLL_MS = 200;
/** An instance that is stopping waits for its running steps, at most 30 s each. */
const STOPPING_SECONDS = 60;
/** Processes of a killed launcher end by themselves as soon as they notice. */
const LEFTOVER_SECONDS = 5;

/** Returns the live instance of a data folder, or null when none runs, even if a killed one left its record. */
export function findInstance(dataDir: string): Promise<Instance | null> {
  return findHolder<Instance>(join(dataDir, FILE));
}

/**
 * Makes this process the only launcher of a data folder. It waits for one that is stopping and clears what a killed one
 * left behind.
 * @throws Error naming the instance that runs already
 */
export async function claimInstance(dataDir: string, launchedBy: number | null): Promise<InstanceClaim> {
  const path = join(dataDir, FILE);
  let own: Instance = {
    ...identify(process.pid),
    state: "starting",
    launchedBy,
    url: null,
    databaseUrl: null,
    processes: [],
  };
  let attempt = await tryLock(path, own);
  for (let waitedMs = 0; !attempt.isMine; waitedMs += POLL_MS) {
    if (!isEnding(attempt.holder) || waitedMs > STOPPING_SECONDS * 1_000) throw alreadyRunning(dataDir, attempt.holder);
    await sleep(POLL_MS);
    attempt = await tryLock(path, own);
  }
  await endProcesses(attempt.leftovers.flatMap(({ processes }) => processes));
  // One after the other: the last write must be the newest, and nothing may be written after the release.
  let written = Promise.resolve();
  return {
    update: (change) => {
      own = { ...own, ...change };
      written = written.then(() => writePrivateFile(path, JSON.stringify(own)));
      return written;
    },
    release: () => written.finally(() => rm(path, { force: true })),
  };
}

function isEnding(instance: Instance): boolean {
  return instance.state === "stopping" || (instance.launchedBy !== null && !isAlive(instance.launchedBy));
}

function alreadyRunning(dataDir: string, { pid, state, url }: Instance): Error {
  const where = url ? ` at ${url}` : "";
  return new Error(
    `An instance with the data in ${dataDir} is ${state} already${where} (process ${pid}).\n` +
      "Stop it first, or start a second one next to it: DATA_DIR=.data-two npm start",
  );
}

/** They still hold the port, and a worker its runs. */
async function endProcesses(processes: ProcessIdentity[]): Promise<void> {
  for (let waitedMs = 0; processes.some(isSameProcess); waitedMs += POLL_MS) {
    if (waitedMs >= LEFTOVER_SECONDS * 1_000) {
      for (const { pid } of processes.filter(isSameProcess)) process.kill(pid, "SIGKILL");
    }
    await sleep(POLL_MS);
  }
}
