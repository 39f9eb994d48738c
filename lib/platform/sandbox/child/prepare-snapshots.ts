import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
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
 * An interpreter with the guest's library in it, and with JSONata where that is the language, as it is before any code
 * of a user has run. Modules load only until then.
 */
async function prepareSnapshot(language: SandboxCall["language"]): Promise<Snapshot> {
  const interpreter = await openInterpreter(SANDBOX.memoryBytes, null);
  const { runtime, context } = interpreter;
  runtime.setModuleLoader((name) => readGuest(name.slice(GUEST_IMPORT.length)));
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
  context.unwrapResult(context.evalCode(readGuest(name), `${name}.ts`, { type: "module" })).dispose();
}

function readGuest(name: string): string {
  return stripTypeScriptTypes(readFileSync(join(GUEST, `${name}.ts`), "utf8"));
}
