import { cp, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildWeb } from "#scripts/build/build-web";
import { generatePrisma } from "#scripts/build/generate-prisma";
import { tracePackages } from "#scripts/image/trace-packages";
import { showStep } from "#scripts/progress";

/**
 * The files of the product in addition to packages. They include the build's sources, so that the start finds the build
 * current by the same check as in a clone.
 */
const CONTENTS = [
  ...["app", "components", "docs", "lib", "prisma", "scripts", "server", "worker"],
  ...["package.json", "package-lock.json", "next.config.js", "postcss.config.mjs", "tsconfig.json"],
  ...["NOTICE", ".next"],
];
/** Files that only `next build` and `next dev` read and write, and the Node.js of this machine. */
const UNUSED = [
  ...["cache", "dev", "diagnostics", "types", "build", "trace", "trace-build"].map((name) => `.next/${name}`),
  "scripts/node/node_modules",
];

/**
 * Builds the product and copies into a folder what it needs to run: in a container image, and from a release archive.
 * @param also further files and folders
 */
export async function collectProduct(target: string, also: readonly string[] = []): Promise<void> {
  await generatePrisma();
  await buildWeb(join(tmpdir(), "build.log"));
  await showStep("Collecting the files of the product", async (note) => {
    const files = await tracePackages();
    for (const path of [...CONTENTS, ...files, ...also]) await copy(path, target);
    note(`${files.length} of packages`);
  });
}

async function copy(path: string, target: string): Promise<void> {
  const to = join(target, path);
  await mkdir(dirname(to), { recursive: true });
  await cp(path, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !UNUSED.includes(source) && !/\.map$|\.test\.tsx?$/.test(source),
  });
}
