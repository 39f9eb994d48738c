import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { QuickJSContext } from "quickjs-emscripten-core";
import { openInterpreter, type Snapshot, takeSnapshot } from "#lib/platform/sandbox/child/open-interpreter";
import type { SandboxCall } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

const GUEST = join(import.meta.dirname, "..", "guest");
const GUEST_IMPORT = "#lib/platform/sandbox/guest/";

export type Snapshots = Record<SandboxCall["language"], Snapshot>;

export async function prepareSnapshots(): Promise<Snapshots> {
  return { typescript: await prepareSnapshot("typescript"), jsonata: await prepareSnapshot("jsonata") };
}

/**
 * Prepares an interpreter with the guest's library, and with JSONata if that is the language, before any user code has
 * run. Modules load only until then.
 */
async function prepareSnapshot(language: SandboxCall["language"]): Promise<Snapshot> {
  const interpreter = await openInterpreter(SANDBOX.memoryBytes, null);
  const { runtime, context } = interpreter;
  runtime.setModuleLoader(readModule, (importer, specifier) => findModule(specifier, importer));
  evaluateModule(context, "install-base64");
  evaluateModule(context, "install");
  if (language === "jsonata") {
    const library = fileURLToPath(import.meta.resolve("jsonata/jsonata.min.js"));
    context.unwrapResult(context.evalCode(readFileSync(library, "utf8"), "jsonata.js")).dispose();
    evaluateModule(context, "install-jsonata");
  }
  runtime.removeModuleLoader();
  return takeSnapshot(interpreter);
}

function evaluateModule(context: QuickJSContext, name: string): void {
  const path = join(GUEST, `${name}.ts`);
  context.unwrapResult(context.evalCode(readModule(path), path, { type: "module" })).dispose();
}

/**
 * Resolves an import of the guest's library: to another file of the guest, to a package, or inside a package. The
 * packages are plain ES modules, so nothing has to be bundled, and `npm ci` is all it takes.
 */
function findModule(specifier: string, importer: string): string {
  if (specifier.startsWith(GUEST_IMPORT)) return join(GUEST, `${specifier.slice(GUEST_IMPORT.length)}.ts`);
  if (specifier.startsWith(".")) return join(dirname(importer), specifier);
  return fileURLToPath(import.meta.resolve(specifier));
}

function readModule(path: string): string {
  const source = readFileSync(path, "utf8");
  return path.endsWith(".ts") ? stripTypeScriptTypes(source) : source;
}
