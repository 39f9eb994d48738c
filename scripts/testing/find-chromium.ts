import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright";

/** The headless shell comes first: in a full browser, a new page costs a third of a test's processor time. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
];
const MAC_APPS = ["Google Chrome", "Chromium", "Microsoft Edge"];

/**
 * Returns a browser for the end-to-end tests: the system's browser, or the one that Playwright downloaded. Null if
 * there is none.
 */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [
    process.env.CHROMIUM_PATH ?? "",
    ...[...folders, "/usr/bin"].flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...MAC_APPS.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
    chromium.executablePath(),
  ];
  return candidates.find((path) => path !== "" && existsSync(path) && isExecutable(path)) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
