import { type ChildProcess, fork } from "node:child_process";
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { SandboxStart } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

const ROOT = realpathSync(join(import.meta.dirname, "..", "..", ".."));
const PACKAGES = [
  "quickjs-emscripten-core",
  "@jitl/quickjs-wasmfile-release-sync",
  "@jitl/quickjs-ffi-types",
  "jsonata",
  "whatwg-url-minimum",
];

/** Made by the first child before any code ran in it. */
let snapshots: unknown = null;

/** The files a child may read: its own sources and packages, and none of the project's data or secrets. */
function readableFolders(): string[] {
  const require = createRequire(import.meta.url);
  const packages = PACKAGES.map((name) => {
    const entry = require.resolve(name);
    return join(entry.slice(0, entry.lastIndexOf(join("node_modules", name))), "node_modules", name, "*");
  });
  const own = ["package.json", "lib/package.json", "lib/platform/sandbox/*", "lib/contract/*"].map((path) =>
    join(ROOT, path),
  );
  return [...own, ...packages];
}

/**
 * Starts a process for user code: no environment, no other files, no right to start processes or threads, no native
 * addons (Node's permission model is the second wall, WebAssembly the first). It ends with its parent, and never keeps
 * its parent alive.
 * @throws Error when it does not become ready
 */
export async function startChild(): Promise<ChildProcess> {
  const child = fork(join(ROOT, "lib/platform/sandbox/child/main.ts"), {
    cwd: ROOT,
    env: { NODE_ENV: "production", TZ: "UTC" },
    execArgv: [
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
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.unref();
  child.channel?.unref();
  // A message that could not be sent leads to the child's exit, and the waiting call is notified of that.
  child.on("error", () => {});
  await untilReady(child);
  return child;
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null) => {
      clearTimeout(timer);
      child.off("message", onReady).off("error", settle).off("exit", onExit);
      if (!error) return resolve();
      child.kill("SIGKILL");
      reject(error);
    };
    const onReady = (ready: SandboxStart) => {
      snapshots ??= ready.snapshots;
      settle(null);
    };
    const onExit = (code: number | null, signal: string | null) =>
      settle(new Error(`The sandbox process ended while starting: ${signal ?? code}`));
    const onTimeout = () => settle(new Error("The sandbox process did not become ready in time"));
    const timer = setTimeout(onTimeout, SANDBOX.startTimeoutMs).unref();
    child.on("message", onReady).on("error", settle).on("exit", onExit);
    const start: SandboxStart = { snapshots };
    child.send(start, () => {});
  });
}
