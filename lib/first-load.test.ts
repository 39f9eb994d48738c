import { describe, expect, test } from "vitest";
import { listAllSources } from "#lib/source-files.fixture";

/**
 * The libraries of forms. A dialog or panel that needs them is loaded with `lazy` (docs/extending.md, "Add a form").
 */
const FORM_LIBRARIES = ["react-hook-form", "zod"];

const SOURCES = new Map(listAllSources().map((file) => [file.path, file]));

/** Returns a file's static imports, without `import()` and `import type`. */
function staticImportsOf(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const found = code.matchAll(/^(?:import|export)\b(?!\s+type\b)[^"';]*?\bfrom\s*"([^"]+)"|^import\s*"([^"]+)"/gm);
  return [...found].map((match) => match[1] ?? match[2] ?? "");
}

function resolve(specifier: string): string | undefined {
  const path = specifier.replace(/^(#|@\/)/, "");
  return [`${path}.ts`, `${path}.tsx`].find((candidate) => SOURCES.has(candidate));
}

/** Returns the first chain of static imports from each root to a library, as `page > component > library`. */
function chainsTo(libraries: readonly string[], roots: readonly string[]): string[] {
  expect(roots.filter((root) => !SOURCES.has(root))).toEqual([]);
  const chains = new Map(roots.map((root) => [root, root]));
  const found: string[] = [];
  // A Map also yields the entries that are added during the loop.
  for (const [path, chain] of chains) {
    for (const specifier of staticImportsOf(SOURCES.get(path)?.text ?? "")) {
      // A page is rendered on the server, which may import the API. The browser gets the page's components.
      if (path.startsWith("app/") && specifier.startsWith("#lib/api/")) continue;
      if (libraries.includes(specifier)) found.push(`${chain} > ${specifier}`);
      const next = resolve(specifier);
      if (next !== undefined && !chains.has(next)) chains.set(next, `${chain} > ${next}`);
    }
  }
  return found;
}

/** Returns the files that are loaded with the roots: what they import statically, and what that imports. */
function filesLoadedWith(roots: readonly string[]): string[] {
  const loaded = new Set(roots);
  // A Set also yields the entries that are added during the loop.
  for (const path of loaded) {
    for (const specifier of staticImportsOf(SOURCES.get(path)?.text ?? "")) {
      const next = resolve(specifier);
      if (next !== undefined) loaded.add(next);
    }
  }
  return [...loaded];
}

const FRAME = "app/(app)/layout.tsx";
const LISTS = ["workflows", "actions", "runs", "keys", "connections", "approvals", "settings/members"];
const CANVAS = "app/(app)/workflows/[workflowId]/page.tsx";

describe("the first load", () => {
  test.each(LISTS)("of the list %s contains no form library", (list) => {
    expect(chainsTo(FORM_LIBRARIES, [FRAME, `app/(app)/${list}/page.tsx`])).toEqual([]);
  });

  test("of a run contains no form library", () => {
    expect(chainsTo(FORM_LIBRARIES, ["app/(app)/runs/[runId]/page.tsx"])).toEqual([]);
  });

  test("of the documentation contains neither the search library nor the Markdown parser", () => {
    expect(chainsTo([...FORM_LIBRARIES, "minisearch", "marked"], ["components/pages/docs/public-header.tsx"])).toEqual(
      [],
    );
  });

  test("of the canvas contains no form library: the checks of the drawing load after it", () => {
    expect(chainsTo(FORM_LIBRARIES, [FRAME, CANVAS])).toEqual([]);
  });

  test("of the runtime API contains no other operation, no connector, and no MCP", () => {
    const others = ["#lib/api/operations/registry", "#lib/connectors/registry", "@modelcontextprotocol/server"];
    expect(chainsTo(others, ["lib/api/runtime/answer-runtime.ts"])).toEqual([]);
    expect(chainsTo(others, ["lib/api/web/web-route.ts"])).not.toEqual([]);
  });

  test("of a call contains neither the traces nor the pages that watch runs", () => {
    const ends = ["#lib/domain/runs/traces/export-traces", "#lib/domain/runs/notify/watch-runs"];
    expect(chainsTo(ends, ["lib/domain/runs/create/run-actions.ts"])).toEqual([]);
    expect(chainsTo(ends, ["lib/domain/runs/decide/cancel-run.ts"])).not.toEqual([]);
  });

  test("of a call is a few files: its operation, the use case, and the REST route with admission and body", () => {
    const call = ["lib/api/operations/calls/run-actions.ts", "lib/api/rest/rest-route.ts"];
    const files = filesLoadedWith(call);
    expect(files).toEqual(expect.arrayContaining([...call, "lib/platform/db/pool.ts", "lib/core/input/parse-json.ts"]));
    expect(files.length).toBeLessThanOrEqual(78);
  });

  test("of an admin command for a running instance is a few files, and no library", () => {
    const files = filesLoadedWith(["scripts/admin.ts"]);
    expect(chainsTo(["zod", "pg", "pino"], ["scripts/admin.ts"])).toEqual([]);
    expect(files).toContain("scripts/admin/ask-instance.ts");
    expect(files.length).toBeLessThanOrEqual(7);
  });

  test.each([
    ["account", 57],
    ["action", 49],
    ["encryption", 95],
    ["key", 55],
    ["queue", 36],
    ["run", 201],
    ["workflow", 461],
    ["workspace", 38],
  ])("of an admin command for one %s contains the commands of no other noun", (noun, most) => {
    const own = `scripts/admin/${noun}-commands.ts`;
    const files = filesLoadedWith(["scripts/admin/run-admin.ts", own]);
    const declared = files.filter((path) => /-commands\.ts$/.test(path)).toSorted();
    expect(declared).toEqual(["scripts/admin/admin-commands.ts", own].toSorted());
    expect(files.length).toBeLessThanOrEqual(most);
  });

  test("is followed through every import, so a form's own file reaches both libraries", () => {
    const chains = chainsTo(FORM_LIBRARIES, ["components/features/keys/create-key-dialog.tsx"]);
    for (const library of FORM_LIBRARIES) expect(chains.some((chain) => chain.endsWith(library))).toBe(true);
  });
});
