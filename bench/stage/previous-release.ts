import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { identify, tryLock } from "#scripts/instance/process-lock";
import { runProgram } from "#scripts/run-program";

/** A version of the product in a folder, installed and built. */
export interface Release {
  name: string;
  folder: string;
}

export const THIS_RELEASE: Release = { name: "this release", folder: process.cwd() };

const FILE = join(import.meta.dirname, "previous-release.json");
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "signalbox", "releases");
/** This file is written last, so that an interrupted preparation starts again. */
const STAMP = "prepared.txt";
/** The build script, which runs in the release's folder, on its own Node.js and with its own modules. */
const BUILD = `
  import { generatePrisma } from "#scripts/build/generate-prisma";
  import { buildWeb } from "#scripts/build/build-web";
  await generatePrisma();
  await buildWeb("build.log");
`;

/**
 * Returns the previous release, checked out from the history, installed, and built. The first call takes minutes. Later
 * calls find the release in the user's cache folder.
 * @throws Error that says what to do, for example if the clone is shallow
 */
export async function preparePreviousRelease(report: (text: string) => void): Promise<Release> {
  const { name, commit } = JSON.parse(await readFile(FILE, "utf8")) as { name: string; commit: string };
  const folder = join(CACHE, commit);
  await mkdir(CACHE, { recursive: true });
  const lock = `${folder}.lock`;
  const attempt = await tryLock(lock, identify(process.pid));
  if (!attempt.isMine) throw new Error(`Another process prepares the release ${name} in ${folder}. Try again later.`);
  try {
    if (!existsSync(join(folder, STAMP))) {
      report(`installing and building the release ${name} in ${folder}, once`);
      await prepare(commit, folder);
    }
  } finally {
    await rm(lock, { force: true });
  }
  return { name: `the release ${name}`, folder };
}

async function prepare(commit: string, folder: string): Promise<void> {
  if (!existsSync(folder)) {
    const unfinished = `${folder}.new`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished);
    await extract(commit, unfinished);
    await rename(unfinished, folder);
  }
  // npm must not run on the Node.js of this process, which may be in a folder that npm replaces.
  const path = (process.env.PATH ?? "").split(delimiter).filter((one) => !one.startsWith(process.cwd()));
  const env = { ...process.env, PATH: path.join(delimiter) };
  await runProgram("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: folder, env });
  await runProgram(nodeOf(folder), ["--input-type=module", "--eval", BUILD], { cwd: folder });
  await writeFile(join(folder, STAMP), `${commit}\n`);
}

async function extract(commit: string, folder: string): Promise<void> {
  const archive = spawn("git", ["archive", commit], { stdio: ["ignore", "pipe", "inherit"] });
  const tar = spawn("tar", ["-x", "-C", folder], { stdio: [archive.stdout, "inherit", "inherit"] });
  const codes = await Promise.all([once(archive, "exit"), once(tar, "exit")]);
  if (codes.every(([code]) => code === 0)) return;
  throw new Error(`git archive of ${commit} failed. In a shallow clone, run git fetch --unshallow.`);
}

/** Returns the Node.js that the release brings with it, or the one that runs this process. */
export function nodeOf(folder: string): string {
  const own = join(folder, "node_modules", "node", "bin", "node");
  return existsSync(own) ? own : join(dirname(process.execPath), "node");
}
