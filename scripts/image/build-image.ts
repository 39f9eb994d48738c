import { cp, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildWeb } from "#scripts/build/build-web";
import { generatePrisma } from "#scripts/build/generate-prisma";
import { tracePackages } from "#scripts/image/trace-packages";
import { showStep } from "#scripts/progress";

/**
 * The contents of the image in addition to packages. They include the build's sources, so that the start finds the
 * build current by the same check as on a laptop.
 */
const CONTENTS = [
  ...["app", "components", "docs", "lib", "prisma", "scripts", "server", "worker"],
  ...["package.json", "package-lock.json", "next.config.js", "postcss.config.mjs", "prisma.config.ts", "tsconfig.json"],
  ...["NOTICE", ".next"],
];
/** Files that only `next build` reads and writes. */
const UNUSED = [".next/cache", ".next/diagnostics", ".next/types", ".next/build", ".next/trace", ".next/trace-build"];

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Usage: node scripts/image/build-image.ts <folder>");
await buildImage(folder);

/** Builds the product and copies the files that a container needs into a folder. `deploy/Dockerfile` runs this. */
async function buildImage(target: string): Promise<void> {
  await generatePrisma();
  await buildWeb(join(tmpdir(), "build.log"));
  await showStep("Collecting the files of the image", async (note) => {
    for (const path of CONTENTS) await copy(path, target);
    const files = await tracePackages();
    for (const path of files) await copy(path, target);
    note(`${files.length} of packages`);
  });
}

async function copy(path: string, target: string): Promise<void> {
  const to = join(target, path);
  await mkdir(dirname(to), { recursive: true });
  await cp(path, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !UNUSED.includes(source) && !source.endsWith(".map"),
  });
}
