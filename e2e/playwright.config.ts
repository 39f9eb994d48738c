import { defineConfig } from "playwright/test";
import { findChromium } from "#scripts/find-chromium";

/** Nothing of the browser's own may reach for the network; as root it has no sandbox to use. */
const args = [
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-gpu",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];
const executablePath = findChromium();

/** These bring an instance or a replica of their own: the others notice nothing of them. */
const APART = /\/(first-job|two-replicas|usage)\.spec\.ts$/;

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "../scripts/test-product.ts",
  // One instance is under test, with one database: what one spec does, another must not trip over.
  projects: [
    { name: "shared", testIgnore: APART, workers: 1 },
    { name: "apart", testMatch: APART, workers: 1 },
  ],
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Several times what any test and any wait takes on an idle machine: a limit that a busy one can reach says nothing.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    // A card that glides is clicked where it was.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // Recording every test doubles its time; a failure is looked at with `--trace on`.
    trace: "off",
    launchOptions: { args, ...(executablePath ? { executablePath } : {}) },
  },
});
