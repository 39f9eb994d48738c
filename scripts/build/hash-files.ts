import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** Hashes the names and contents of files and folders. A path that does not exist counts as missing. */
export async function hashFiles(paths: string[], isCounted: (path: string) => boolean = () => true): Promise<string> {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of (await listFiles(path)).filter(isCounted).sort()) {
      hash.update(`${file}\0`).update(await readFile(file));
    }
  }
  return hash.digest("hex");
}

async function listFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null);
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
