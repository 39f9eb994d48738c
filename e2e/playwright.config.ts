import { defineConfig } from "playwright/test";
import { findChromium } from "#scripts/find-chromium";

/** Disables everything in the browser that uses the network on its own. As root it cannot use a sandbox. */
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

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "../scripts/test-product.ts",
  // Each worker has its own instance, so that specs that run at the same time do not share a database.
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Several times what any test and any wait takes on an idle machine: a limit that a busy machine can reach proves
  // nothing.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    // An animated card would be clicked at its old position.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // Recording every test doubles its time. Use `--trace on` to examine a failure.
    trace: "off",
    launchOptions: { args, ...(executablePath ? { executablePath } : {}) },
  },
});
