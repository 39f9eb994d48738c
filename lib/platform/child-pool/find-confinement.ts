import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { log } from "#lib/platform/config/log";

/** How children are started with less than this process may do. */
export interface Confinement {
  /** The programs that start the child's program, with their arguments; empty if the system has none of them. */
  prefix: readonly string[];
  /** The protections that are missing on this system, in words for the log. */
  missing: readonly string[];
}

interface Wall {
  /** The protection that this wall gives a child. */
  protection: string;
  /** Programs of util-linux, the best one first. Each sets something up and then becomes the program in its arguments. */
  ways: readonly (readonly string[])[];
}

/** Not from PATH: a program in a writable folder must not be the one that confines others. */
const FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];
/** A probe takes milliseconds. It is not a sign of a missing wall that a busy machine takes a thousand times as long. */
const PROBE_TIMEOUT_MS = 120_000;

const WALLS: readonly Wall[] = [
  {
    protection: "limits on files, memory and CPU",
    ways: [
      // No dumps, no bytes in files. Data is what a process may write to, used or not (measured: 670 MiB at the start,
      // 870 MiB between collections); addresses cannot be limited, because WebAssembly reserves far more of them. CPU is
      // for the whole life of a child, and for a child whose parent is gone: a long call is the last of its child.
      ["prlimit", "--core=0:0", "--fsize=0:0", "--nofile=64:64", "--data=4294967296:4294967296", "--cpu=900:900", "--"],
    ],
  },
  {
    protection: "a separate network",
    // The second works without privileges where the system allows user namespaces.
    ways: [
      ["unshare", "--net", "--"],
      ["unshare", "--user", "--net", "--"],
    ],
  },
  { protection: "a block on new privileges", ways: [["setpriv", "--no-new-privs", "--"]] },
];

let found: Promise<Confinement> | null = null;

/**
 * Finds out once what this system allows, and says in the log what it does not.
 * @throws Error if the system could not even run a probe, for example without memory; the next call tries again
 */
export function findConfinement(): Promise<Confinement> {
  found ??= probeWalls().then(
    (confinement) => {
      const { missing } = confinement;
      if (missing.length > 0) log.warn({ missing }, "child processes run without full isolation");
      return confinement;
    },
    (error: unknown) => {
      found = null;
      throw error;
    },
  );
  return found;
}

async function probeWalls(): Promise<Confinement> {
  const prefix: string[] = [];
  const missing: string[] = [];
  for (const { protection, ways } of WALLS) {
    const way = await firstThatWorks(prefix, ways);
    if (way) prefix.push(...way);
    else missing.push(protection);
  }
  return { prefix, missing };
}

async function firstThatWorks(
  prefix: readonly string[],
  ways: readonly (readonly string[])[],
): Promise<readonly string[] | null> {
  const harmless = findProgram("true");
  for (const [name = "", ...args] of ways) {
    const program = findProgram(name);
    if (!program || !harmless) continue;
    const way = [program, ...args];
    if (await succeeds([...prefix, ...way, harmless])) return way;
  }
  return null;
}

function findProgram(name: string): string | null {
  if (process.platform !== "linux") return null;
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** @throws Error if the probe did not end by itself, which says nothing about the wall */
function succeeds([program = "", ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: PROBE_TIMEOUT_MS, env: { NODE_ENV: "production" } }, (error) => {
      // The code of a program that ended is a number. A program that could not be started has a word.
      if (error === null || typeof error.code === "number" || error.code === "EACCES") resolve(error === null);
      else reject(new Error(`The protection of child processes could not be tested: ${error.message}`));
    });
  });
}
