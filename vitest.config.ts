import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: [{ find: /^@\//, replacement: `${import.meta.dirname}/` }] },
  test: {
    include: ["{bench,lib,worker,prisma,scripts,components}/**/*.test.{ts,tsx}"],
    globalSetup: ["./scripts/test-postgres.ts"],
    pool: "forks",
    // Half as many again as there are cores: the longest files wait for heartbeats and processes more than they compute.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Far above what any test takes: a limit that a busy machine can reach would say nothing about the code.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: {
      // Empty is unset: the tests know nothing of the shell they are started from.
      ...Object.fromEntries(
        [
          "DATA_DIR",
          "PORT",
          "HOST",
          "PUBLIC_BASE_URL",
          "WEBHOOK_BASE_URL",
          "NEXTAUTH_URL",
          "ALLOW_SIGNUP",
          "RUNS_PER_USER_PER_HOUR",
          "REQUESTS_PER_WINDOW",
          "RUNS_PER_MONTH",
          "OUTBOUND_ALLOW",
          "CONNECTOR_BASE_URLS",
          "CONNECTOR_OAUTH_CLIENTS",
          "WORKERS",
          "WORKER_CONCURRENCY",
          "RUN_RETENTION_DAYS",
          "METRICS_TOKEN",
        ].map((name) => [name, ""]),
      ),
      // A name nothing answers to: a test that needs the database asks for one of its own.
      DATABASE_URL: "postgres://none.invalid/none",
      NEXTAUTH_SECRET: "tests only: at least thirty-two characters",
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
      LOG_LEVEL: "error",
    },
  },
});
