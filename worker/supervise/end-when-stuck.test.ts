import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import type { StuckLimits } from "#worker/supervise/judge-turns";

const MODULE = JSON.stringify(new URL("end-when-stuck.ts", import.meta.url).href);

let child: ChildProcess | null = null;
afterEach(() => {
  child?.kill("SIGKILL");
});

test("a process whose event loop is blocked ends and reports why", async () => {
  const watched = run("setTimeout(() => { for (;;); }, 100)", { cpuMs: 100, idleChecks: 1_000 });
  const said = text(watched.stderr);
  expect(await once(watched, "exit")).toEqual([null, "SIGKILL"]);
  expect(await said).toContain("event loop is blocked");
});

// Other systems do not show what a thread does.
test.runIf(process.platform === "linux")("a process that waits for itself ends", async () => {
  const lock = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)";
  const watched = run(`setTimeout(() => ${lock}, 100)`, { cpuMs: 60_000, idleChecks: 5 });
  expect(await once(watched, "exit")).toEqual([null, "SIGKILL"]);
});

test("a process with nothing left to do ends by itself, and a busy process keeps running", async () => {
  const pauses = "for (let i = 0; i < 30; i++) await new Promise((go) => setTimeout(go, 10));";
  const watched = run(pauses, { cpuMs: 20_000, idleChecks: 1_000 });
  expect(await once(watched, "exit")).toEqual([0, null]);
});

function run(work: string, limits: StuckLimits) {
  const options = JSON.stringify({ tickMs: 20, limits });
  const code = `const { endWhenStuck } = await import(${MODULE}); endWhenStuck(${options}); ${work}`;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", code];
  const started = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  child = started;
  return started;
}
