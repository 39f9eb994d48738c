import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import type { Worker } from "node:worker_threads";
import { afterAll, vi } from "vitest";

/** What one process keeps for all of its test files. */
interface TestProcess {
  /** The environment that each file finds. */
  env: NodeJS.ProcessEnv;
  /** The child processes and threads that the current file started. */
  children: Set<ChildProcess>;
  threads: Set<Worker>;
}

const KEY = "signalboxTestProcess";
const shared = globalThis as { [KEY]?: TestProcess };

/**
 * Gives each test file of a process its own modules, values of the process (`shareInProcess`), and environment, and ends
 * the processes and threads that it started. Only the packages in node_modules are loaded once for all files, because
 * they take most of the time.
 */
shared[KEY] ??= observe();
const { env, children, threads } = shared[KEY];
for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
Object.assign(process.env, env);
for (const key of Object.getOwnPropertySymbols(globalThis)) {
  if (key.description?.startsWith("signalbox.")) Reflect.deleteProperty(globalThis, key);
}
vi.resetModules();

afterAll(async () => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const child of children) child.kill("SIGKILL");
  await Promise.all([...threads].map((thread) => thread.terminate()));
  children.clear();
  threads.clear();
});

function observe(): TestProcess {
  const started: TestProcess = { env: { ...process.env }, children: new Set(), threads: new Set() };
  subscribe("child_process", (message) => started.children.add((message as { process: ChildProcess }).process));
  subscribe("worker_threads", (message) => started.threads.add((message as { worker: Worker }).worker));
  return started;
}
