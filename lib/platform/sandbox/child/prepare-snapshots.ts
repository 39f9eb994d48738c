import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { openInterpreter, type Snapshot, takeSnapshot } from "#lib/platform/sandbox/child/open-interpreter";
import type { SandboxCall } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

const GUEST = "#lib/platform/sandbox/guest/";

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
  const modules = nameModules();
  runtime.setModuleLoader(modules.read, (_importer, specifier) => modules.name(specifier));
  const evaluate = (file: string) => {
    const name = modules.name(GUEST + file);
    context.unwrapResult(context.evalCode(modules.read(name), name, { type: "module" })).dispose();
  };
  evaluate("install-base64");
  evaluate("install");
  if (language === "jsonata") {
    const library = fileURLToPath(import.meta.resolve("jsonata/jsonata.min.js"));
    context.unwrapResult(context.evalCode(readFileSync(library, "utf8"), "jsonata.js")).dispose();
    evaluate("install-jsonata");
  }
  runtime.removeModuleLoader();
  return takeSnapshot(interpreter);
}

/**
 * Names the modules of the guest's library and the packages that it imports. The packages are plain ES modules without
 * imports, so nothing has to be bundled, and `npm ci` is all it takes. User code can read the names in the stacks of
 * errors, so they contain no path of this machine. It can't import them: the interpreter removes each leading `./` from
 * what user code imports.
 */
function nameModules() {
  const paths = new Map<string, string>();
  return {
    name(specifier: string): string {
      const name = `./signalbox:${basename(specifier)}`;
      paths.set(name, fileURLToPath(import.meta.resolve(specifier)));
      return name;
    },
    read: (name: string) => readModule(paths.get(name) ?? name),
  };
}

function readModule(path: string): string {
  const source = readFileSync(path, "utf8");
  return path.endsWith(".ts") ? stripTypeScriptTypes(source) : source;
}
