import { generatePrisma } from "#scripts/generate-prisma";

// This process sees the database go away, and expects it; the workers' log is theirs.
process.env.LOG_LEVEL = "silent";
// The workers need the generated client, which may not be there yet.
await generatePrisma();
await import("#bench/chaos");
