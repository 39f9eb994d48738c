import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { canInstallDebianPackages, installDebianPackage } from "#scripts/testing/install-debian-package";

/**
 * Makes sure that tests have a pgbouncer: the system's, or Debian's package.
 * @returns the path of its program
 * @throws Error that says what to do
 */
export async function requirePgbouncer(): Promise<string> {
  const present = findPgbouncer();
  if (present) return present;
  if (canInstallDebianPackages()) await installDebianPackage("pgbouncer");
  const installed = findPgbouncer();
  if (installed) return installed;
  throw new Error("The tests of transaction poolers need pgbouncer. Install it, for example with apt-get or brew.");
}

/** Finds pgbouncer. Debian installs it in a folder that is not in the PATH of ordinary users. */
function findPgbouncer(): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== ""), "/usr/sbin"];
  return folders.map((folder) => join(folder, "pgbouncer")).find((path) => existsSync(path)) ?? null;
}
