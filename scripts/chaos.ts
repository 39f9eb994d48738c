import { generatePrisma } from "#scripts/generate-prisma";

// The workers need the generated client, which may not be there yet.
await generatePrisma();
await import("#bench/chaos");
