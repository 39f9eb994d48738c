import { showStep } from "#scripts/progress";
import { runProgram } from "#scripts/run-program";
import { findChromium } from "#scripts/testing/find-chromium";
import { canInstallDebianPackages, installDebianPackage } from "#scripts/testing/install-debian-package";

/**
 * Makes sure that tests have a browser: the system's, Playwright's download, or Debian's package.
 * @throws Error that says what to do
 */
export async function requireChromium(): Promise<string> {
  const present = findChromium();
  if (present) return present;
  const failures: string[] = [];
  const attempts = [
    {
      label: "Downloading Chromium",
      install: () => runProgram("node_modules/.bin/playwright", ["install", "chromium"]),
    },
    ...(canInstallDebianPackages()
      ? // The smaller browser first, which older releases do not have.
        ["chromium-headless-shell", "chromium"].map((name) => ({
          label: `Installing Debian's ${name}`,
          install: () => installDebianPackage(name),
        }))
      : []),
  ];
  for (const { label, install } of attempts) {
    try {
      await showStep<unknown>(label, install);
    } catch (error) {
      failures.push((error as Error).message);
    }
    const found = findChromium();
    if (found) return found;
  }
  throw new Error(
    `${failures.join("\n\n")}\n\nThe end-to-end tests need Chrome or Chromium. Install one, or set CHROMIUM_PATH to its program.`,
  );
}
