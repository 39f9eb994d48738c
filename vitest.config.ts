import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They start processes and wait for them, for half a minute in files of a few lines. */
const WAITING = ["bench/", "worker/", "lib/platform/sandbox/", "scripts/"].map(
  (folder) => `${import.meta.dirname}/${folder}`,
);

/**
 * Without times of an earlier run Vitest begins with the largest files, and would end with one core waiting for those.
 * Taken in turn with the others from the beginning they use what the others leave, and none of them is the last.
 */
class WaitingInTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification) => WAITING.some((folder) => moduleId.startsWith(folder));
    const others = sorted.filter((file) => !isWaiting(file));
    return [...sorted.filter(isWaiting).flatMap((file) => [file, ...others.splice(0, 1)]), ...others];
  }
}

const ALL = ["{bench,lib,worker,prisma,scripts,components}/**/*.test.ts"];
/** They render, in a document. */
const RENDERED = ["components/**/*.test.tsx"];

/**
 * These only compute: no environment, no database, nothing that outlives a test. The folders beside them under
 * lib/connectors/sdk and components have tests that do more.
 */
const PURE = [
  "lib/{contract,support,core}/**/*.test.ts",
  "lib/connectors/{,sdk/,custom/,http/,llm/}*.test.ts",
  "components/{ui,words,canvas,pages/palette}/**/*.test.ts",
  "components/features/!(actions)/**/*.test.ts",
];

export default defineConfig({
  resolve: { alias: [{ find: /^@\//, replacement: `${import.meta.dirname}/` }] },
  test: {
    // In the order of their names: the short ones come last, and fill the cores that the last of the others leave.
    projects: [
      { extends: true, test: { name: "apart", include: ALL, exclude: PURE } },
      {
        extends: true,
        test: {
          name: "rendered",
          include: RENDERED,
          environment: "jsdom",
          // next-auth reads it while it loads.
          env: { NEXTAUTH_URL: "http://localhost:3000" },
          setupFiles: ["./components/testing/browser-stubs.fixture.ts", "./components/testing/stop-timers.fixture.ts"],
        },
      },
      // Each process takes many files and loads what they share once, which is half of what they would need.
      { extends: true, test: { name: "together", include: PURE, isolate: false } },
    ],
    globalSetup: ["./scripts/test-postgres.ts"],
    pool: "forks",
    sequence: { sequencer: WaitingInTurn },
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
          "DATABASE_URL_DIRECT",
          "DATABASE_POOL_SIZE",
          "PORT",
          "HOST",
          "PUBLIC_BASE_URL",
          "WEBHOOK_BASE_URL",
          "NEXTAUTH_URL",
          "ALLOW_SIGNUP",
          "RUNS_PER_USER_PER_HOUR",
          "REQUESTS_PER_WINDOW",
          "RUNS_PER_MONTH",
          "WEBHOOK_REQUESTS_PER_MINUTE",
          "ALLOWED_HOSTS",
          "TRUSTED_PROXIES",
          "OUTBOUND_ALLOW",
          "CONNECTOR_BASE_URLS",
          "CONNECTOR_OAUTH_CLIENTS",
          "OIDC_PROVIDERS",
          "WORKERS",
          "WORKER_CONCURRENCY",
          "RUN_RETENTION_DAYS",
          "AUDIT_RETENTION_DAYS",
          "WORKER_QUEUES",
          "WORKER_DRAIN_SECONDS",
          "WEB_DRAIN_SECONDS",
          "METRICS_TOKEN",
          "TRACEPARENT_HOSTS",
          "OTEL_EXPORTER_OTLP_ENDPOINT",
          "OTEL_TRACES_SAMPLER",
          "OTEL_TRACES_SAMPLER_ARG",
          "OTEL_RESOURCE_ATTRIBUTES",
          "OTEL_EXPORTER_OTLP_HEADERS",
          "OTEL_METRICS_EXPORTER",
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
