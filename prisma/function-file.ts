import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** A file of prisma/functions: one function, with the triggers that execute it. */
export interface FunctionFile {
  /** The function's name and the file's. */
  name: string;
  sql: string;
  checksum: string;
  triggers: string[];
}

export const FUNCTIONS_FOLDER = join(import.meta.dirname, "functions");

/** Reads the files of a folder in the order of their names. */
export async function readFunctionFiles(folder: string = FUNCTIONS_FOLDER): Promise<FunctionFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), "utf8");
      return { name: basename(name, ".sql"), sql, checksum: sha256(sql), triggers: triggersOf(sql) };
    }),
  );
}

function triggersOf(sql: string): string[] {
  return [...sql.matchAll(/^create or replace trigger (\w+)/gm)].map(([, name = ""]) => name);
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
