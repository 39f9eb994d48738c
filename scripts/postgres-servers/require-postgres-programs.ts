import { existsSync, globSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { PostgresBinaries } from "#scripts/postgres/postgres-binaries";
import { runProgram } from "#scripts/run-program";
import { canInstallDebianPackages, installDebianPackage } from "#scripts/testing/install-debian-package";

/** The server and the client programs for its backups. The embedded PostgreSQL does not have the latter. */
const PROGRAMS = ["initdb", "pg_ctl", "postgres", "pg_dump", "pg_restore", "pg_basebackup", "pg_receivewal"];
/** The folders of Debian's packages and of Homebrew's. */
const FOLDERS = ["/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin"];
/** The oldest version that the product supports. */
const OLDEST = 15;

/**
 * Makes sure that tests have a complete PostgreSQL: the system's newest one, or Debian's package.
 * @throws Error that says what to do
 */
export async function requirePostgresPrograms(): Promise<PostgresBinaries> {
  const present = await findPostgresPrograms();
  if (present) return present;
  if (canInstallDebianPackages()) await installDebianPackage("postgresql");
  const installed = await findPostgresPrograms();
  if (installed) return installed;
  throw new Error(
    `This needs a PostgreSQL ${OLDEST} or newer with its client programs. Install one, for example with apt-get or brew.`,
  );
}

async function findPostgresPrograms(): Promise<PostgresBinaries | null> {
  const inPath = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const complete = [...inPath, ...globSync(FOLDERS)].filter((folder) =>
    PROGRAMS.every((name) => existsSync(join(folder, name))),
  );
  const found = await Promise.all(
    complete.map(async (folder) => {
      const { output } = await runProgram(join(folder, "postgres"), ["--version"]);
      return { folder: dirname(folder), version: /[\d.]+/.exec(output)?.[0] ?? "0" };
    }),
  );
  const newest = found.toSorted((left, right) => Number.parseFloat(right.version) - Number.parseFloat(left.version))[0];
  return newest && Number.parseFloat(newest.version) >= OLDEST ? newest : null;
}
