import { generatePrisma } from "#scripts/build/generate-prisma";

// The scenarios use the product's own pool and expect outages of the database. The workers have their own log.
process.env.LOG_LEVEL = "silent";
// The workers and the verdict need the generated client, which may not exist yet.
await generatePrisma();
await import("#bench/faults");
