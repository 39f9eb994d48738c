import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type ProjectConfig, type TestSpecification } from "vitest/node";
import { SETTING_NAMES } from "#lib/platform/config/env";

/** Variables that libraries read and Signalbox does not check. */
const UNCHECKED_VARIABLES = ["NEXTAUTH_URL", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_EXPORTER_OTLP_HEADERS"];

/** The folders whose tests start processes and wait for them: a file of a few lines can take half a minute. */
const WAITING = ["bench/", "worker/", "lib/platform/sandbox/", "scripts/"].map(
  (folder) => `${import.meta.dirname}/${folder}`,
);

/**
 * Alternates the files that wait with files that compute, so that one core is not left with the waiting files at the
 * end. Vitest itself starts with the largest files, because it has no durations of an earlier run.
 */
class WaitingAlternate extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification) => WAITING.some((folder) => moduleId.startsWith(folder));
    const others = sorted.filter((file) => !isWaiting(file));
    return [...sorted.filter(isWaiting).flatMap((file) => [file, ...others.splice(0, 1)]), ...others];
  }
}

const ALL = ["{bench,lib,worker,prisma,scripts,components}/**/*.test.ts"];
/** How components are rendered in tests. */
const RENDERED: ProjectConfig = {
  environment: "jsdom",
  // next-auth reads this variable when it is imported.
  env: { NEXTAUTH_URL: "http://localhost:3000" },
  setupFiles: ["./components/testing/browser-stubs.fixture.ts", "./components/testing/stop-timers.fixture.ts"],
};
/** Rendered tests of the time until a module is loaded: no other test may have loaded it before. */
const LOADING = "components/**/*.loading.test.tsx";

/**
 * Tests that only compute: they have no environment and no database, and nothing of them outlives a test. Other tests in
 * lib/connectors and components need a process of their own.
 */
const PURE = [
  "lib/{contract,support,core}/**/*.test.ts",
  "lib/connectors/{,sdk/,custom/,http/,llm/}*.test.ts",
  "components/{ui,words,canvas,pages/palette}/**/*.test.ts",
  "components/features/!(actions)/**/*.test.ts",
];

/**
 * Tests of processes, and tests that something outlives: telemetry that is registered once, packages that read their
 * settings when they are loaded, or work that is meant to be still under way.
 */
const APART = [
  "{bench,scripts,worker/supervise}/**/*.test.ts",
  "worker/*.test.ts",
  "lib/platform/{child-pool,compute,config,metrics,sandbox,telemetry}/**/*.test.ts",
  "lib/api/auth/auth-route.test.ts",
  "lib/api/{health/otlp-metrics,rest/rest-traces,webhooks/webhook-traces}.test.ts",
  "lib/domain/custom-connectors/build-in-thread.test.ts",
  "lib/domain/runs/traces/export-traces.test.ts",
];

export default defineConfig({
  resolve: { alias: [{ find: /^@\//, replacement: `${import.meta.dirname}/` }] },
  test: {
    // Vitest runs projects in the order of their names. The shortest files come last, so that no core is left idle.
    projects: [
      { extends: true, test: { name: "apart", include: APART } },
      // A process runs many files, and loads the packages of node_modules once.
      {
        extends: true,
        test: {
          name: "fresh",
          include: ALL,
          exclude: [...APART, ...PURE],
          isolate: false,
          setupFiles: ["./scripts/testing/fresh-modules.fixture.ts"],
        },
      },
      { extends: true, test: { name: "loading", ...RENDERED, include: [LOADING] } },
      // A process runs many files and loads shared modules once, which takes a fifth of the CPU time.
      {
        extends: true,
        test: {
          name: "rendered",
          ...RENDERED,
          environment: "./components/testing/one-window.fixture.ts",
          include: ["components/**/*.test.tsx"],
          exclude: [LOADING],
          isolate: false,
        },
      },
      { extends: true, test: { name: "together", include: PURE, isolate: false } },
    ],
    globalSetup: ["./scripts/testing/test-postgres.ts"],
    pool: "forks",
    sequence: { sequencer: WaitingAlternate },
    // More than there are cores, because the longest files mostly wait for heartbeats and processes.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Many times what any test or wait takes on an idle machine: a limit that a busy machine can reach proves nothing.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    env: {
      // The settings of the user's shell must not reach the tests. An empty one counts as not set.
      ...Object.fromEntries([...SETTING_NAMES, ...UNCHECKED_VARIABLES].map((name) => [name, ""])),
      // Nothing answers at this name: a test that needs a database creates its own.
      DATABASE_URL: "postgres://none.invalid/none",
      NEXTAUTH_SECRET: "tests only: at least thirty-two characters",
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
      LOG_LEVEL: "error",
    },
  },
});
