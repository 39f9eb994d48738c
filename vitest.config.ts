import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{lib,worker,prisma,scripts,components}/**/*.test.{ts,tsx}"],
    globalSetup: ["./scripts/test-postgres.ts"],
    pool: "forks",
    env: {
      NEXTAUTH_SECRET: "tests only: at least thirty-two characters",
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
      LOG_LEVEL: "error",
    },
  },
});
