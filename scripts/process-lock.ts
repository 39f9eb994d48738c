import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isAlive, startTimeOf } from "#scripts/process-identity";

/** Identifies one process forever: ids are reused. */
export interface ProcessIdentity {
  pid: number;
  /** Null when the system does not report it. */
  startTime: string | null;
}

export type LockAttempt<Holder> =
  /** `leftover`: the record of a holder that was killed. */
  { isMine: true; leftover: Holder | null } | { isMine: false; holder: Holder };

export function identify(pid: number): ProcessIdentity {
  return { pid, startTime: startTimeOf(pid) };
}

/** False when the process is gone, even if another one has its id now. */
export function isSameProcess({ pid, startTime }: ProcessIdentity): boolean {
  return isAlive(pid) && (startTime === null || startTimeOf(pid) === startTime);
}

/** Takes the lock file for this process, unless a live process holds it. */
export async function tryLock<Holder extends ProcessIdentity>(path: string, own: Holder): Promise<LockAttempt<Holder>> {
  let leftover: Holder | null = null;
  while (!(await createExclusively(path, own))) {
    const holder = await readLock<Holder>(path);
    if (holder && isSameProcess(holder)) return { isMine: false, holder };
    leftover = (await setAside(path, holder)) ?? leftover;
  }
  return { isMine: true, leftover };
}

/** Returns the record in a lock file, whether its holder is alive or not. */
export async function readLock<Holder>(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") throw error;
    return null;
  }
}

/** Creates the file with its whole content or not at all, so that no one can read it half-written. */
async function createExclusively(path: string, own: ProcessIdentity): Promise<boolean> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(temporary, JSON.stringify(own), { mode: 0o600, flag: "wx" });
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Removes a dead holder's file and returns its record. When two try at once, the slower one may remove the faster one's
 * new file; it puts that back.
 */
async function setAside<Holder extends ProcessIdentity>(path: string, dead: Holder | null): Promise<Holder | null> {
  const aside = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const taken = await readLock<Holder>(aside);
  const isOther = taken !== null && (taken.pid !== dead?.pid || taken.startTime !== dead.startTime);
  if (isOther) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
  return isOther ? null : dead;
}
