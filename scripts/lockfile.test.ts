import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Entry {
  version?: string;
  integrity?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };

/**
 * Packages without a digest. The registry did not serve these versions when the lockfile was written, so npm could not
 * record their digests. npm installs them only on the platforms in their names, and then checks them against the
 * registry's digest. The list may only become shorter.
 */
const WITHOUT_INTEGRITY = /^node_modules\/(@biomejs\/cli|@next\/swc|@oxc-parser\/binding|@tailwindcss\/oxide)-/;
const WITHOUT_INTEGRITY_MAX = 35;

test("the lockfile has a SHA-512 digest of every package, except those that the registry did not serve", () => {
  const weak = Object.entries(packages).filter(
    ([path, { integrity = "" }]) => path && !integrity.startsWith("sha512-"),
  );
  expect(weak.flatMap(([path]) => (WITHOUT_INTEGRITY.test(path) ? [] : [path]))).toEqual([]);
  expect(weak.length).toBeLessThanOrEqual(WITHOUT_INTEGRITY_MAX);
  // All packages that production loads on its usual servers have a digest.
  const onServers = weak.filter(([path]) => /linux-(x64|arm64)(-gnu)?$/.test(path));
  expect(onServers.map(([path]) => path)).toEqual([]);
});

test("the lockfile names no registry: packages come from the one that npm is configured for", () => {
  expect(Object.keys(packages).filter((path) => packages[path]?.resolved !== undefined)).toEqual([]);
});

test.each(["linux/x64", "linux/arm64", "darwin/x64", "darwin/arm64"])(
  "every package with native programs has a program for %s",
  (platform) => {
    const [os = "", cpu = ""] = platform.split("/");
    const fits = (entry: Entry) =>
      entry.os?.includes(os) && entry.cpu?.includes(cpu) && (entry.libc === undefined || entry.libc.includes("glibc"));
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {}, os: ownSystems }]) => {
      const natives = Object.keys(optionalDependencies)
        .flatMap((name) => packages[`node_modules/${name}`] ?? [])
        .filter((entry) => entry.os && entry.cpu);
      return ownSystems || natives.length === 0 || natives.some(fits) ? [] : [path];
    });
    expect(missing).toEqual([]);
  },
);

test("the lockfile has the optional packages of all platforms, because npm ci requires them", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isResolved(path, name))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

/** Looks a package up like Node does: in the package's own dependencies, then in each folder above. */
function isResolved(path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    if (`${folder === "" ? "" : `${folder}/`}node_modules/${name}` in packages) return true;
    if (folder === "") return false;
  }
}

test("all packages share one nodemailer, because next-auth sends no mail here and its older range does not matter", () => {
  const { dependencies, overrides } = JSON.parse(readFileSync("package.json", "utf8")) as {
    dependencies: Record<string, string>;
    overrides: Record<string, Record<string, string>>;
  };
  expect(overrides["next-auth"]).toEqual({ nodemailer: "$nodemailer" });
  const copies = Object.entries(packages).filter(([path]) => path.endsWith("node_modules/nodemailer"));
  expect(copies.map(([, entry]) => entry.version)).toEqual([dependencies.nodemailer]);
});
