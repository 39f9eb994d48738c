import { type ChildProcess, fork } from "node:child_process";
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { join } from "node:path";
import { awaitReady, StartError } from "#lib/platform/child-pool/await-ready";
import { findConfinement } from "#lib/platform/child-pool/find-confinement";
import { log } from "#lib/platform/config/log";
import type { SandboxReady, SandboxStart } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

const ROOT = realpathSync(join(import.meta.dirname, "..", "..", ".."));
const PACKAGES = [
  "quickjs-emscripten-core",
  "@jitl/quickjs-wasmfile-release-sync",
  "@jitl/quickjs-ffi-types",
  "jsonata",
  "whatwg-url-minimum",
];

const DROP_PRIVILEGES = "lib/platform/child-pool/drop-privileges.ts";
/** How much of what a child writes is kept: the end, where its error is. */
const OUTPUT_CHARACTERS = 2_000;

/** Made by the first child before any code ran in it. */
let snapshots: unknown = null;

/** The files a child may read: its own sources and packages, and none of the project's data or secrets. */
function readableFolders(): string[] {
  const require = createRequire(import.meta.url);
  const packages = PACKAGES.map((name) => {
    const entry = require.resolve(name);
    return join(entry.slice(0, entry.lastIndexOf(join("node_modules", name))), "node_modules", name, "*");
  });
  const own = ["package.json", "lib/package.json", "lib/platform/sandbox/*", DROP_PRIVILEGES, "lib/contract/*"].map(
    (path) => join(ROOT, path),
  );
  return [...own, ...packages];
}

/** The first child shows whether the walls of the system let children start at all. */
let isPrefixUsable: boolean | null = null;
let isWarned = false;

/**
 * Starts a process for user code: no environment, no other files, no right to start processes or threads, no native
 * addons (Node's permission model), no network, no bytes in any file, no rights of root (the system, where it allows
 * that). WebAssembly is the first wall, and these are the second and third. It ends with its parent, and never keeps its
 * parent alive.
 * @throws Error when it does not become ready
 */
export async function startChild(): Promise<ChildProcess> {
  const { prefix } = await findConfinement();
  if (prefix.length === 0 || isPrefixUsable === false) return await launch([]);
  try {
    const child = await launch(prefix);
    isPrefixUsable = true;
    return child;
  } catch (error) {
    // After one start with these walls, code may be the reason of a failure, and does not get a child without them.
    // Neither does one that the system stopped, or could not start for a moment: these walls were not the reason.
    if (isPrefixUsable || !(error instanceof StartError && error.isOwnExit)) throw error;
    const child = await launch([]);
    isPrefixUsable = false;
    log.warn({ err: error }, "the sandbox could not start with operating-system isolation; it now runs without it");
    return child;
  }
}

async function launch(prefix: readonly string[]): Promise<ChildProcess> {
  const [program = process.execPath, ...before] = [...prefix, process.execPath];
  const child = fork(join(ROOT, "lib/platform/sandbox/child/main.ts"), {
    cwd: ROOT,
    env: { NODE_ENV: "production", TZ: "UTC" },
    execPath: program,
    execArgv: [
      ...before,
      "--no-warnings",
      "--permission",
      ...readableFolders().map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${SANDBOX.childHeapMegabytes}`,
      `--stack-size=${SANDBOX.childStackKilobytes}`,
      // Several children share two cores: collector threads would only take turns with the work (measured: half the
      // processor time per call).
      "--single-threaded-gc",
      "--disable-proto=delete",
      "--disallow-code-generation-from-strings",
    ],
    serialization: "advanced",
    // A pipe, because a child cannot write to a file, whatever ours is.
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  child.unref();
  child.channel?.unref();
  // A message that could not be sent leads to the child's exit, and the waiting call is notified of that.
  child.on("error", () => {});
  const start: SandboxStart = { snapshots };
  child.send(start, () => {});
  const ready = await awaitReady<SandboxReady>(child, keepOutput(child));
  snapshots ??= ready.snapshots;
  void warnOfRoot(ready);
  return child;
}

/** In a user namespace of its own a child cannot see that it runs as root: this process is root then. */
async function warnOfRoot({ isUnprivileged }: SandboxReady): Promise<void> {
  const { prefix } = await findConfinement();
  if (isWarned || (isUnprivileged && !(process.getuid?.() === 0 && prefix.includes("--user")))) return;
  isWarned = true;
  log.warn("the sandbox runs as root, because the system does not let it change its user");
}

/** Returns the end of what the child has written so far. Without errors of its own it writes nothing. */
function keepOutput(child: ChildProcess): () => string {
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-OUTPUT_CHARACTERS);
  });
  if (child.stderr instanceof Socket) child.stderr.unref();
  child.on("exit", () => {
    if (output !== "") log.warn({ output }, "a process of the sandbox ended with an error");
  });
  return () => output;
}
