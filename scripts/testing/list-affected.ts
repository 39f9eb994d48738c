import { basename, dirname } from "node:path";
import type { SourceFile } from "#lib/source-files.fixture";
import { runProgram } from "#scripts/run-program";

interface Affected {
  /** Files of Vitest. Empty means all of them. */
  unit: string[];
  /** Files of Playwright. */
  e2e: string[];
}

/** What every test starts from: packages, configuration, and the schema of the database. */
const OF_EVERY_TEST =
  /^(package(-lock)?\.json|tsconfig\.json|vitest\.config\.ts|prisma\/(migrate\.ts|schema\.prisma|(migrations|functions)\/.*)|scripts\/testing\/(test-postgres|fresh-modules\.fixture)\.ts)$/;
/** These read files of the whole project. */
const LAWS = /^(lib|scripts)\/[^/]+\.test\.ts$/;

/**
 * Lists the files that differ from the commit that HEAD and another commit have in common.
 * @throws Error if Git does not know the commit
 */
export async function listChanged(commit: string): Promise<string[]> {
  const git = async (...words: string[]) => (await runProgram("git", words)).output.split("\n").filter(Boolean);
  const [base = ""] = await git("merge-base", commit, "HEAD");
  const unknown = await git("ls-files", "--others", "--exclude-standard");
  return [...(await git("diff", "--name-only", base)), ...unknown];
}

/**
 * Lists the tests that a change can break: the laws, the tests that lead to a changed file, and the browser tests that are
 * named after a changed folder. A file leads to the files that it imports, and to the files and folders whose path it
 * names in quotes, such as a program that it starts.
 * @param changed paths from the root of the project
 */
export function listAffected(changed: string[], sources: SourceFile[]): Affected {
  const reached = filesThatLeadTo(changed, sources);
  const tests = sources.flatMap(({ path }) => (/\.test\.tsx?$/.test(path) ? path : []));
  const specs = sources.flatMap(({ path }) => (path.endsWith(".spec.ts") ? path : []));
  const names = new Set(changed.flatMap((path) => dirname(path).split("/").map(singular)));
  return {
    unit: changed.some((path) => OF_EVERY_TEST.test(path))
      ? []
      : tests.filter((path) => reached.has(path) || LAWS.test(path)),
    e2e: specs.filter((path) => reached.has(path) || isNamedAfter(basename(path, ".spec.ts"), names)),
  };
}

/** Returns the changed files and everything that leads to them. */
function filesThatLeadTo(changed: string[], sources: SourceFile[]): Set<string> {
  const leading = new Map<string, string[]>();
  for (const { path, text, imports } of sources) {
    const named = [...text.matchAll(/["'`](?:\.\.?\/)*([\w@()[\].-]+(?:\/[\w@()[\].-]+)+)["'`]/g)];
    for (const target of [
      ...imports.map((specifier) => specifier.replace(/^(#|@\/)/, "")),
      ...named.map(([, at = ""]) => at),
    ]) {
      leading.set(target, [...(leading.get(target) ?? []), path]);
    }
  }
  const reached = new Set(changed);
  // A Set also yields the entries that are added during the loop.
  for (const path of reached) {
    const folders = path.split("/").map((_, index, parts) => parts.slice(0, index).join("/"));
    for (const target of [path, path.replace(/\.tsx?$/, ""), ...(changed.includes(path) ? folders : [])]) {
      for (const next of leading.get(target) ?? []) reached.add(next);
    }
  }
  return reached;
}

/** `canvas-zoom` is named after `canvas`, and `sign-in` after `sign-in`. */
function isNamedAfter(spec: string, folders: ReadonlySet<string>): boolean {
  return folders.has(singular(spec)) || folders.has(singular(spec.split("-")[0] ?? ""));
}

const singular = (name: string) => name.replace(/s$/, "");
