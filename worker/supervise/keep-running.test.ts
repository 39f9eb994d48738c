import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "#lib/support/eventually.fixture";
import { countQuickExits, type KeptProcess, keepRunning, type ProcessSpec } from "#worker/supervise/keep-running";

let folder: string;
let log: FileHandle;
let kept: KeptProcess | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-kept-"));
  log = await open(join(folder, "log"), "a");
});
afterEach(async () => {
  await kept?.stop(0);
  kept = null;
  await log.close();
  await rm(folder, { recursive: true, force: true });
});

const STAYS = "process.send('up'); process.once('disconnect', () => process.exit()); setInterval(() => {}, 1000)";

async function keep(code: string, options: Partial<ProcessSpec> = {}): Promise<KeptProcess> {
  const modulePath = join(folder, "child.mjs");
  await writeFile(modulePath, code);
  kept = keepRunning({ name: "child", modulePath, env: process.env, log: log.fd, report: () => {}, ...options });
  return kept;
}

describe("a kept process", () => {
  test("is started again after it is killed and its exit is handled", async () => {
    const events: string[] = [];
    const child = await keep(STAYS, {
      onMessage: (message) => events.push(String(message)),
      onExit: async () => void events.push("exit"),
    });
    await eventually(() => expect(events).toEqual(["up"]));
    process.kill(child.pid() ?? 0, "SIGKILL");
    await eventually(() => expect(events).toEqual(["up", "exit", "up"]));
    expect(child.crashes()).toBe(1);
  });

  test("is started again even if the handling of its exit fails", async () => {
    const reports: string[] = [];
    const child = await keep("process.exit(3)", {
      onExit: () => Promise.reject(new Error("no database")),
      report: (text) => reports.push(text),
    });
    await eventually(() => expect(child.crashes()).toBeGreaterThan(1));
    expect(reports.slice(0, 2)).toEqual(["child: no database", "child: ended (code 3), starting again"]);
  });

  test("ends for good when it is stopped, by SIGKILL if it ignores SIGTERM", async () => {
    let messages = 0;
    const child = await keep(`process.on('SIGTERM', () => {}); ${STAYS}`, { onMessage: () => void messages++ });
    await eventually(() => expect(messages).toBe(1));
    await child.stop(100);
    expect(child.pid()).toBeUndefined();
    expect([messages, child.crashes()]).toEqual([1, 0]);
  });

  test("can be stopped while it waits for its next start", async () => {
    const child = await keep("process.exit(1)");
    await eventually(() => expect(child.crashes()).toBeGreaterThan(2));
    await child.stop(60_000);
    expect(child.pid()).toBeUndefined();
  });

  test("ends when its launcher is gone, even after SIGKILL", async () => {
    const child = join(folder, "child.mjs");
    await writeFile(child, "setInterval(() => {}, 1000)");
    const launcher = join(folder, "launcher.mjs");
    const preload = new URL("../../scripts/instance/exit-with-launcher.ts", import.meta.url).href;
    const options = JSON.stringify({ execArgv: ["--import", preload], detached: true });
    await writeFile(
      launcher,
      `import { fork } from "node:child_process";
       const child = fork(${JSON.stringify(child)}, [], ${options});
       child.once("spawn", () => console.log(child.pid));`,
    );
    const parent = spawn(process.execPath, [launcher], { stdio: ["ignore", "pipe", "inherit"] });
    const [output] = (await once(parent.stdout, "data")) as [Buffer];
    parent.kill("SIGKILL");
    await eventually(() => expect(() => process.kill(Number(output.toString()), 0)).toThrow(/ESRCH/));
  });
});

test("logs its output to its file", async () => {
  await keep(`console.log("said"); ${STAYS}`);
  await eventually(async () => expect(await readFile(join(folder, "log"), "utf8")).toBe("said\n"));
});

test("a process that never becomes ready is restarted after increasing pauses, and one that was ready after a short pause", () => {
  expect(countQuickExits(5, 1_000, false)).toBe(6);
  expect(countQuickExits(0, 1_000, true)).toBe(1);
  expect(countQuickExits(5, 1_000, true)).toBe(2);
  expect(countQuickExits(5, 60_000, false)).toBe(0);
});
