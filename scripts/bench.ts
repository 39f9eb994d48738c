import { generatePrisma } from "#scripts/build/generate-prisma";

// Benchmarks load the generated client, which may not exist yet.
await generatePrisma();
await import("#bench/main");
