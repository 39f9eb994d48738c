import { createRequire } from "node:module";

/**
 * Does what `prisma generate` does, with the same two packages. The command itself would bring 200 MB along: Prisma
 * Studio, a database and engines, none of which a running product uses. A program, because its memory ends with it.
 * Usage: node scripts/build/prisma-generator.ts <schema>
 */
const [schema = ""] = process.argv.slice(2);
// The ES modules of these packages import files that do not exist (7.10.0).
const require = createRequire(import.meta.url);
const { getGenerators, loadSchemaContext } = require("@prisma/internals") as typeof import("@prisma/internals");
const { PrismaClientTsGenerator } =
  require("@prisma/client-generator-ts") as typeof import("@prisma/client-generator-ts");

const generators = await getGenerators({
  schemaContext: await loadSchemaContext({ schemaPath: { cliProvidedPath: schema }, printLoadMessage: false }),
  registry: { "prisma-client": { type: "in-process", generator: new PrismaClientTsGenerator() } },
  cliCommand: "generate",
});
for (const generator of generators) {
  await generator.generate();
  generator.stop();
}
