import { defineConfig } from "playwright/test";
import { findChromium } from "#scripts/testing/find-chromium";

/** Disables every feature of the browser that uses the network on its own. Root cannot use a browser sandbox. */
const args = [
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-gpu",
  "--disable-features=OverlayScrollbar",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];
const executablePath = findChromium();

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "../scripts/testing/test-product.ts",
  // Each worker has its own instance, so specs that run at the same time do not share a database.
  workers: 3,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Many times what any test or wait takes on an idle machine. A limit that a busy machine can reach proves nothing.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  reporter: "list",
  use: {
    // With animations, a click could hit the old position of a moving card.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    // Recording every test doubles its time. Use `--trace on` to examine a failure.
    trace: "off",
    // Playwright hides scroll bars. Most people with a mouse see classic ones, which take space.
    launchOptions: { args, ignoreDefaultArgs: ["--hide-scrollbars"], ...(executablePath ? { executablePath } : {}) },
  },
});
