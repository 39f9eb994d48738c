import { readFile, writeFile } from "node:fs/promises";
import { hashFiles } from "#scripts/build/hash-files";
import { showStep } from "#scripts/progress";
import { runProgram } from "#scripts/run-program";

const STAMP = "lib/platform/db/generated/schema.sha256";
const SCHEMA = "prisma/schema.prisma";

/**
 * Generates the Prisma client if it is missing, or if it was made from another schema or by another version of Prisma.
 */
export async function generatePrisma(): Promise<void> {
  const wanted = await hashFiles([SCHEMA, "node_modules/@prisma/client-generator-ts/package.json"]);
  if ((await readFile(STAMP, "utf8").catch(() => "")) === wanted) return;
  await showStep("Generating the database client", async () => {
    await runProgram(process.execPath, ["scripts/build/prisma-generator.ts", SCHEMA]);
    await writeFile(STAMP, wanted);
  });
}
