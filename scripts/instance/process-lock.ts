import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { isAlive, startTimeOf } from "#scripts/instance/process-identity";
import { writePrivateFile } from "#scripts/instance/write-private-file";

/** Identifies one process forever, because process ids are reused. */
export interface ProcessIdentity {
  pid: number;
  /** Null if the system does not report it. */
  startTime: string | null;
}

export type LockAttempt<Holder> =
  /** `leftovers` are the records of killed holders, oldest first. */
  { isMine: true; leftovers: Holder[] } | { isMine: false; holder: Holder };

/** A line of a lock file. A line without an id is the record of the only holder. */
type Claim<Holder> = Holder & { claim?: string };

export function identify(pid: number): ProcessIdentity {
  return { pid, startTime: startTimeOf(pid) };
}

/** Returns false if the process is gone, even if another one has its id now. */
export function isSameProcess({ pid, startTime }: ProcessIdentity): boolean {
  return isAlive(pid) && (startTime === null || startTimeOf(pid) === startTime);
}

/**
 * Takes the lock file for this process, unless a live process holds it. Removing a dead holder's file first would be a
 * race: a slow claimant could remove the file of a faster one. So each claimant appends a line, and the first live one
 * is the holder. After a claimant has written its line, it sees all lines before it, and a dead process never returns.
 * The holder may rewrite the file with its record alone, and releases the lock by removing the file.
 */
export async function tryLock<Holder extends ProcessIdentity>(path: string, own: Holder): Promise<LockAttempt<Holder>> {
  const claim = randomBytes(8).toString("hex");
  for (let isClaimed = false; ; isClaimed = true) {
    const claims = await readClaims<Holder>(path);
    const first = claims.find(isSameProcess);
    if (first && first.claim !== claim) {
      if (isClaimed) await withdraw(path, claim);
      return { isMine: false, holder: first };
    }
    if (first) {
      await writePrivateFile(path, JSON.stringify(own));
      return { isMine: true, leftovers: claims.slice(0, claims.indexOf(first)) };
    }
    // Each line starts with its line break, because the record of the only holder has none at its end.
    await appendFile(path, `\n${JSON.stringify({ ...own, claim })}`, { mode: 0o600 });
  }
}

/** Returns the record of the live process that holds a lock file, or null. */
export async function findHolder<Holder extends ProcessIdentity>(path: string): Promise<Holder | null> {
  return (await readClaims<Holder>(path)).find(isSameProcess) ?? null;
}

/**
 * Prevents a refused claim from taking the lock later. Does not create the file, because the holder may have just
 * removed it.
 */
async function withdraw(path: string, withdrawn: string): Promise<void> {
  const flag = constants.O_WRONLY | constants.O_APPEND;
  await appendFile(path, `\n${JSON.stringify({ withdrawn })}`, { flag }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

async function readClaims<Holder extends ProcessIdentity>(path: string): Promise<Claim<Holder>[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return "";
  });
  const lines = text.split("\n").flatMap((line) => parseLine<Claim<Holder> & { withdrawn?: string }>(line));
  const withdrawn = new Set(lines.flatMap((line) => line.withdrawn ?? []));
  return lines.filter(({ pid, claim }) => pid !== undefined && !withdrawn.has(claim ?? ""));
}

/** Returns nothing for an incomplete line, for example after a crash of the machine. */
function parseLine<Line>(line: string): Line[] {
  try {
    return [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}
