import { generatePrisma } from "#scripts/build/generate-prisma";

// The use cases that prepare an attack need the generated client, which may not exist yet.
await generatePrisma();
await import("#bench/abuse");
