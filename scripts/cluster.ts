import { generatePrisma } from "#scripts/build/generate-prisma";

// The verdict reads through the product's own pool, and outages are part of this test.
process.env.LOG_LEVEL = "silent";
// The verdict needs the generated client, which may not exist yet.
await generatePrisma();
await import("#e2e/cluster/main");
