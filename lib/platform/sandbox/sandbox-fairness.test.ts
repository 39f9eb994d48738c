import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import { LOW_PRIORITY } from "#lib/platform/child-pool/processor-time";
import { UNINTERRUPTIBLE } from "#lib/platform/sandbox/ending-of.fixture";
import { runUserCode } from "#lib/platform/sandbox/run-user-code";

const ENDLESS = "for (;;);";
/** Never the reason for an ending here. */
const PATIENT = { timeoutMs: 600_000, cpuMs: 600_000 };

/** Endless calls of a workspace, until the end of the test. */
function attack(workspaceId: string, calls: number, source = ENDLESS) {
  const controller = new AbortController();
  const state = { turns: 0, ended: 0 };
  const endings = Array.from({ length: calls }, () =>
    runUserCode({
      workspaceId,
      source,
      input: null,
      ...PATIENT,
      signal: controller.signal,
      onTurn: () => {
        state.turns += 1;
      },
    }).catch((error: unknown) => {
      state.ended += 1;
      return error;
    }),
  );
  const stop = async () => {
    controller.abort(new Error("over"));
    return await Promise.all(endings);
  };
  onTestFinished(async () => void (await stop()));
  return { state, stop, endings };
}

function call(workspaceId: string, source = "return input + 1") {
  const { signal } = new AbortController();
  return runUserCode({ workspaceId, source, input: 1, ...PATIENT, signal });
}

const childPids = () =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/ +/))
    .filter(([, parent, ...args]) => Number(parent) === process.pid && args.join(" ").includes("sandbox/child/main"))
    .map(([pid]) => Number(pid));

describe("endless code of one workspace", () => {
  test("does not keep code of another workspace waiting, however many calls there are", async () => {
    const attacker = attack("attacker", 300);
    await expect.poll(() => attacker.state.turns).toBeGreaterThan(0);
    for (let round = 0; round < 10; round += 1) expect((await call("victim")).value).toBe(2);
    expect(attacker.state.ended).toBe(0);
  });

  test("is refused when more calls wait than a workspace may have waiting", async () => {
    const attacker = attack("attacker", LIMITS.codeQueuedCalls + 100);
    const refused = await Promise.race(attacker.endings);
    expect(refused).toBeInstanceOf(StepError);
    expect(refused).toMatchObject({ code: "RATE_LIMITED", reason: "sandbox_busy" });
    expect((await call("victim")).value).toBe(2);
  });

  test("is refused when more bytes wait than a workspace may have waiting", async () => {
    const mebibytes = LIMITS.codeQueuedBytes / 1_048_576;
    const attacker = attack("attacker", mebibytes + 20, `${ENDLESS}//${"x".repeat(1_000_000)}`);
    expect(await Promise.race(attacker.endings)).toMatchObject({ reason: "sandbox_busy" });
    expect((await call("victim")).value).toBe(2);
  });

  test("continues at a lower priority after a second of CPU time", async () => {
    const attacker = attack("attacker", 1);
    await expect.poll(() => attacker.state.turns).toBe(1);
    await expect.poll(() => Math.max(...childPids().map((pid) => getPriority(pid)))).toBe(LOW_PRIORITY);
    await attacker.stop();
    // No later call gets the slow child.
    expect((await call("victim")).value).toBe(2);
    await expect.poll(() => Math.max(...childPids().map((pid) => getPriority(pid)))).toBe(0);
  });
});

describe("CPU time", () => {
  const limited = (source: string, cpuMs: number) =>
    runUserCode({
      workspaceId: "w",
      source,
      input: null,
      timeoutMs: 600_000,
      cpuMs,
      signal: new AbortController().signal,
    });

  test.each([
    ["a loop", ENDLESS],
    ["a loop that catches", "for (;;) { try { for (;;); } catch {} }"],
    ["a chain of promises", "for (;;) await null"],
    ["a regular expression", "return /^(a+)+$/.test('a'.repeat(50) + 'b')"],
  ])("ends a call that has used its share: %s", async (_name, source) => {
    const error = await limited(`console.log("before"); ${source}`, 200).catch((thrown: unknown) => thrown);
    // The console shows that the process itself ended the call, and was not killed for it.
    expect(error).toMatchObject({
      code: "TIMEOUT",
      reason: "code_time_limit",
      message: "The code used more than 0.2 s of CPU time",
      console: ["before"],
    });
  });

  test.runIf(process.platform === "linux")("ends a call that the interpreter cannot interrupt", async () => {
    await expect(limited(UNINTERRUPTIBLE, 500)).rejects.toMatchObject({
      message: "The code used more than 0.5 s of CPU time",
    });
  });

  test("of one call does not count for the next call of the same process", async () => {
    const source = "const end = Date.now() + 60; while (Date.now() < end); return 1";
    for (let round = 0; round < 10; round += 1) expect((await limited(source, 400)).value).toBe(1);
  });
});
