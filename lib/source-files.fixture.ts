import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TOP_LEVEL = ["app", "bench", "components", "e2e", "examples", "lib", "prisma", "scripts", "server", "worker"];
const NEXT_EXPORTS = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|metadata|viewport|dynamic|revalidate|generateMetadata)$/;

export interface SourceFile {
  path: string;
  text: string;
  imports: string[];
}

/** Lists all source files of the project, except generated ones. */
export function listAllSources(): SourceFile[] {
  return TOP_LEVEL.flatMap(listSources);
}

function listSources(folder: string): SourceFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith("lib/platform/db/generated/") && !path.includes("/.next/"))
    .map((path) => {
      const text = readFileSync(path, "utf8");
      return { path, text, imports: importsOf(text) };
    });
}

function importsOf(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const found = code.matchAll(/\b(?:import|export)\b[^"';]*?\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g);
  return [...found].map((match) => match[1] ?? match[2] ?? "");
}

/** Returns the names of a file's exports, except the names that Next.js requires in a route or page. */
export function exportedNames({ path, text }: SourceFile): string[] {
  const declared = text.matchAll(/^export (?:async |abstract )*(?:const|let|function\*?|class|interface|type) (\w+)/gm);
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) => names.split(","));
  const names = [...declared].map(([, name = ""]) => name);
  const listedNames = listed.map((name) => /(\w+)\s*$/.exec(name)?.[1] ?? "").filter((name) => name !== "");
  return [...new Set([...names, ...listedNames])].filter(
    (name) => !path.startsWith("app/") || !NEXT_EXPORTS.test(name),
  );
}
