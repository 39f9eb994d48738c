import { generatePrisma } from "#scripts/build/generate-prisma";

// This process expects the database to become unavailable. The workers have their own log.
process.env.LOG_LEVEL = "silent";
// The workers need the generated client, which may not exist yet.
await generatePrisma();
await import("#bench/chaos");
