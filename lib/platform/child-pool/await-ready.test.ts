import { type ChildProcess, spawn } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { awaitReady, START_LIMITS, type StartLimits, watchProgress } from "#lib/platform/child-pool/await-ready";

/** More checks in the same time. On a busy machine, a child may wait for the processor for seconds. */
const LIMITS: StartLimits = { ...START_LIMITS, checkMs: 20, idleChecks: 1_500 };

function start(code: string): ChildProcess {
  const child = spawn(process.execPath, ["--eval", code], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const wait = (child: ChildProcess, limits: Partial<StartLimits> = {}) =>
  awaitReady(child, () => "its last words", { ...LIMITS, ...limits });

describe("a child that starts", () => {
  test("is waited for as long as it computes, whatever the clock says", async () => {
    const child = start("const end = () => process.cpuUsage().user > 800000; while (!end()); process.send('ready')");
    expect(await wait(child)).toBe("ready");
    // It computes for many times as long as a child without progress may take.
    const findFault = watchProgress({ cpuMs: 30_000, idleChecks: 2 });
    const checks = Array.from({ length: 6_000 }, (_, index) => 10 * Math.floor(index / 2));
    expect(checks.filter((usedMs) => findFault(usedMs))).toEqual([]);
    expect(findFault(30_000)).toBeNull();
    expect(findFault(30_000)).toBeNull();
    expect(findFault(30_000)).toMatchObject({ message: "The process stopped making progress while starting" });
  });

  test("is waited for while it is stopped for a moment", async () => {
    const child = start("process.send('ready')");
    child.kill("SIGSTOP");
    const ready = wait(child);
    child.kill("SIGCONT");
    expect(await ready).toBe("ready");
  });

  test("is given up when it makes no progress at all", async () => {
    const child = start("process.send('ready')");
    child.kill("SIGSTOP");
    await expect(wait(child, { idleChecks: 5 })).rejects.toMatchObject({ isOwnExit: false });
    await expect.poll(() => child.signalCode).toBe("SIGKILL");
  });

  test("is given up when it computes without end", async () => {
    const child = start("for (;;);");
    await expect(wait(child, { cpuMs: 100 })).rejects.toThrow("0.1 s of CPU time");
  });

  test("that ends by itself says why", async () => {
    await expect(wait(start("process.exit(3)"))).rejects.toMatchObject({
      message: "The process ended while starting: 3 its last words",
      isOwnExit: true,
    });
  });

  test("that is killed from outside is not to blame", async () => {
    const child = start("setInterval(() => {}, 1000)");
    const ready = wait(child);
    child.kill("SIGKILL");
    await expect(ready).rejects.toMatchObject({ isOwnExit: false });
  });

  test("that cannot be started is not to blame", async () => {
    const child = spawn("/nowhere/node", { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    await expect(wait(child)).rejects.toMatchObject({ message: "spawn /nowhere/node ENOENT", isOwnExit: false });
  });
});
