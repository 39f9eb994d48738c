import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: [{ find: /^@\//, replacement: `${import.meta.dirname}/` }] },
  test: {
    include: ["{lib,worker,prisma,scripts,components}/**/*.test.{ts,tsx}"],
    globalSetup: ["./scripts/test-postgres.ts"],
    pool: "forks",
    // Far above what any test takes: a limit that a busy machine can reach would say nothing about the code.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: {
      NEXTAUTH_SECRET: "tests only: at least thirty-two characters",
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
      LOG_LEVEL: "error",
    },
  },
});
