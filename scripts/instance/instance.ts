import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "#scripts/instance/process-identity";
import { findHolder, identify, isSameProcess, type ProcessIdentity, tryLock } from "#scripts/instance/process-lock";
import { writePrivateFile } from "#scripts/instance/write-private-file";

/** The record of the instance that runs on a data folder, which is the content of its lock file. */
export interface Instance extends ProcessIdentity {
  state: "starting" | "running" | "stopping";
  /** The process that this one ends with (npm). Null if there is none. */
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
/** A stopping instance waits for its running steps, up to 30 s each. */
const STOPPING_SECONDS = 60;
/** Processes of a killed launcher end by themselves as soon as they notice. */
const LEFTOVER_SECONDS = 5;

/** Returns a data folder's live instance. Null if none runs, even if a killed one left its record. */
export function findInstance(dataDir: string): Promise<Instance | null> {
  return findHolder<Instance>(join(dataDir, FILE));
}

/**
 * Makes this process the only launcher of a data folder. Waits for an instance that is stopping, and removes the
 * leftovers of a killed one.
 * @throws Error that names the instance that already runs
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
  // Writes run one after the other, because the last write must be the newest, and nothing may be written after the
  // release.
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
    `An instance that uses ${dataDir} is already ${state}${where} (process ${pid}).\n` +
      "Stop it first, or start a second one next to it: DATA_DIR=.data-two npm start",
  );
}

/** Ends leftover processes, which still hold the port and a worker's runs. */
async function endProcesses(processes: ProcessIdentity[]): Promise<void> {
  for (let waitedMs = 0; processes.some(isSameProcess); waitedMs += POLL_MS) {
    if (waitedMs >= LEFTOVER_SECONDS * 1_000) {
      for (const { pid } of processes.filter(isSameProcess)) process.kill(pid, "SIGKILL");
    }
    await sleep(POLL_MS);
  }
}
