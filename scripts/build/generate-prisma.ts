import { readFile, writeFile } from "node:fs/promises";
import { hashFiles } from "#scripts/build/hash-files";
import { showStep } from "#scripts/progress";
import { runProgram } from "#scripts/run-program";

const STAMP = "lib/platform/db/generated/schema.sha256";

/**
 * Generates the Prisma client if it is missing, or if it was made from another schema or by another version of Prisma.
 */
export async function generatePrisma(signal?: AbortSignal): Promise<void> {
  const wanted = await hashFiles(["prisma/schema.prisma", "node_modules/prisma/package.json"]);
  if ((await readFile(STAMP, "utf8").catch(() => "")) === wanted) return;
  await showStep("Generating the database client", async () => {
    await runProgram(process.execPath, ["node_modules/prisma/build/index.js", "generate", "--no-hints"], {
      signal,
      env: {
        ...process.env,
        // Prisma would download an engine that it does not need for generating. Any existing file prevents the
        // download.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: "1",
        PRISMA_HIDE_UPDATE_MESSAGE: "1",
      },
    });
    await writeFile(STAMP, wanted);
  });
}
