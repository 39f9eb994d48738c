import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Entry {
  optionalDependencies?: Record<string, string>;
}

test("the lockfile has every optional package, because npm ci refuses one without those of other platforms", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isResolved(packages, path, name))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

/** Node's lookup: next to the package's own dependencies, then in each folder above. */
function isResolved(packages: Record<string, Entry>, path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    if (`${folder === "" ? "" : `${folder}/`}node_modules/${name}` in packages) return true;
    if (folder === "") return false;
  }
}
