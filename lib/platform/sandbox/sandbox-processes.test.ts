import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { UNINTERRUPTIBLE } from "#lib/platform/sandbox/ending-of.fixture";
import { runUserCode } from "#lib/platform/sandbox/run-user-code";
import type { SandboxCall, SandboxReply } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";
import { startChild } from "#lib/platform/sandbox/start-child";

const { signal } = new AbortController();
const limits = { workspaceId: "w", timeoutMs: 30_000, signal };

async function isSane(): Promise<boolean> {
  const { value } = await runUserCode({ source: "return input + 1", input: 1, ...limits });
  return value === 2;
}

function callOf(source: string, timeoutMs: number): SandboxCall {
  const { memoryBytes } = SANDBOX;
  return { language: "typescript", source, compiled: null, inputJson: "{}", timeoutMs, cpuMs: timeoutMs, memoryBytes };
}

async function ask(child: ChildProcess, call: SandboxCall): Promise<SandboxReply> {
  child.send(call);
  const [reply] = await once(child, "message");
  return reply;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A separate program that uses the sandbox; its output, line by line. */
function startProgram(source: string): ChildProcess {
  const program = spawn(process.execPath, ["--no-warnings", "--input-type=module", "--eval", source], {
    cwd: process.cwd(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void program.kill("SIGKILL"));
  return program;
}

async function outputOf(program: ChildProcess): Promise<string> {
  const [output] = await once(program.stdout ?? program, "data");
  return String(output).trim();
}

async function newChild(): Promise<ChildProcess> {
  const child = await startChild();
  child.channel?.ref();
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

describe("an aborted call", () => {
  test.each([["for (;;);"], [UNINTERRUPTIBLE]])("ends at once: %s", async (source) => {
    const controller = new AbortController();
    const call = runUserCode({ workspaceId: "w", source, input: {}, timeoutMs: 600_000, signal: controller.signal });
    await sleep(50);
    const reason = new Error("the run was taken away");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(await isSane()).toBe(true);
  });

  test("does not start", async () => {
    const reason = new Error("already over");
    const call = runUserCode({ ...limits, source: "return 1", input: {}, signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
  });

  test("leaves the queue, and the others stay in it", async () => {
    const controller = new AbortController();
    const busy = Array.from({ length: SANDBOX.sharedChildrenMax * 2 }, () =>
      runUserCode({ workspaceId: "w", source: "for (;;);", input: {}, timeoutMs: 600_000, signal: controller.signal }),
    );
    const patient = runUserCode({ source: "return 'served'", input: {}, ...limits });
    const gone = new Error("gone");
    controller.abort(gone);
    for (const ending of await Promise.allSettled(busy)) expect(ending).toMatchObject({ reason: gone });
    expect((await patient).value).toBe("served");
  });
});

describe("the processes", () => {
  test("are replaced after a number of calls, without effect on callers", async () => {
    for (let call = 0; call < SANDBOX.callsPerChild + 10; call += 1) {
      const { value } = await runUserCode({ source: "return input", input: call, ...limits });
      expect(value).toBe(call);
    }
    // Thousands of calls take more than a minute on a busy machine.
  });

  test("keep no program alive", async () => {
    const program = startProgram(`
      import { runUserCode } from "#lib/platform/sandbox/run-user-code";
      const { signal } = new AbortController();
      const { value } = await runUserCode({ workspaceId: "w", source: "return input + 1", input: 1, timeoutMs: 30000, signal });
      console.log(value);
    `);
    const [output, [code]] = await Promise.all([outputOf(program), once(program, "exit")]);
    expect([output, code]).toEqual(["2", 0]);
  });

  test.each([
    ["between calls", "return 1"],
    ["in a loop", "for (;;);"],
    ["in what nothing interrupts", UNINTERRUPTIBLE],
  ])("end with a parent that is killed: %s", async (_name, source) => {
    const program = startProgram(`
        import { startChild } from "#lib/platform/sandbox/start-child";
        setInterval(() => {}, 1000);
        const child = await startChild();
        child.send(${JSON.stringify(callOf(source, 1_000))}, () => console.log(child.pid));
      `);
    const pid = await outputOf(program);
    program.kill("SIGKILL");
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
  });

  test("are replaced when they are killed from outside, without effect on callers", async () => {
    const program = startProgram(`
      import { execSync } from "node:child_process";
      import { runUserCode } from "#lib/platform/sandbox/run-user-code";
      const { signal } = new AbortController();
      const run = (source, onTurn) =>
        runUserCode({ workspaceId: "w", source, input: {}, timeoutMs: 60000, signal, onTurn });
      await run("return 1");
      let turns = 0;
      const busy = run("let sum = 0; for (let i = 0; i < 2e6; i++) sum += i; return sum", () => { turns += 1; });
      for (const line of execSync("ps -A -o pid=,ppid=").toString().trim().split("\\n")) {
        const [pid, parent] = line.trim().split(/ +/).map(Number);
        if (parent === process.pid) try { process.kill(pid, "SIGKILL") } catch {}
      }
      console.log((await busy).value, turns, (await run("return 2")).value);
    `);
    expect(await outputOf(program)).toBe("1999999000000 1 2");
  });

  test("fail the call with a reason that can be retried when they cannot be started, after several attempts", async () => {
    const program = startProgram(`
      import { runUserCode } from "#lib/platform/sandbox/run-user-code";
      process.execPath = "/nowhere/node";
      const { signal } = new AbortController();
      const call = () => runUserCode({ workspaceId: "w", source: "return 1", input: {}, timeoutMs: 1000, signal });
      const endings = await Promise.allSettled([call(), call(), call()]);
      console.log(endings.map(({ reason }) => reason.code + " " + reason.reason).join());
    `);
    const fault = "UPSTREAM_ERROR sandbox_unavailable";
    expect(await outputOf(program)).toBe([fault, fault, fault].join());
  });

  test("are started again when the first start fails, and no call fails", async () => {
    const program = startProgram(`
      import { runUserCode } from "#lib/platform/sandbox/run-user-code";
      const node = process.execPath;
      process.execPath = "/nowhere/node";
      const { signal } = new AbortController();
      const call = runUserCode({ workspaceId: "w", source: "return 'served'", input: {}, timeoutMs: 1000, signal });
      setTimeout(() => { process.execPath = node; }, 300);
      console.log((await call).value);
    `);
    expect(await outputOf(program)).toBe("served");
  });

  test("that get no processor time fail the call as the machine's fault, not as the code's", async () => {
    const program = startProgram(`
      import { execSync } from "node:child_process";
      import { runUserCode } from "#lib/platform/sandbox/run-user-code";
      const { signal } = new AbortController();
      const run = (source, timeoutMs) => runUserCode({ workspaceId: "w", source, input: {}, timeoutMs, signal });
      await run("return 1", 60000);
      for (const line of execSync("ps -A -o pid=,ppid=").toString().trim().split("\\n")) {
        const [pid, parent] = line.trim().split(/ +/).map(Number);
        if (parent === process.pid) try { process.kill(pid, "SIGSTOP") } catch {}
      }
      const { code, reason } = await run("return 1", 500).catch((error) => error);
      console.log(code, reason, (await run("return 2", 60000)).value);
    `);
    expect(await outputOf(program)).toBe("TIMEOUT machine_busy 2");
  });

  test("survive an interrupt of the whole group from a terminal, because their parent decides", async () => {
    const child = await newChild();
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) child.kill(name);
    expect(await ask(child, callOf("return 'still here'", 30_000))).toMatchObject({
      result: { kind: "value", json: '"still here"' },
    });
  });

  test("stop by themselves what the interpreter cannot interrupt", async () => {
    const child = await newChild();
    expect(await ask(child, callOf(UNINTERRUPTIBLE, 50))).toMatchObject({ result: { kind: "timeout" }, isWorn: true });
  });

  test("have nothing to steal, even for code that escaped the interpreter", async () => {
    const { spawnargs } = await newChild();
    const flags = spawnargs.slice(spawnargs.indexOf(process.execPath) + 1, -1);
    const probe = `
      const attempts = {
        passwd: () => require("node:fs").readFileSync("/etc/passwd"),
        data: () => require("node:fs").readdirSync(".data"),
        secrets: () => require("node:fs").readFileSync("lib/platform/secrets/seal.ts"),
        write: () => require("node:fs").writeFileSync("lib/sandbox/x", ""),
        spawn: () => require("node:child_process").execSync("id"),
        thread: () => new (require("node:worker_threads").Worker)("1", { eval: true }),
        eval: () => eval("1"),
        proto: () => { if (({}).__proto__ !== undefined) return "reached"; throw { code: "none" }; },
      };
      const codes = Object.entries(attempts).map(([name, attempt]) => {
        try { attempt(); return [name, "reached"]; } catch (error) { return [name, error.code ?? error.name]; }
      });
      process.stdout.write(JSON.stringify(Object.fromEntries(codes)));`;
    const program = spawn(process.execPath, [...flags, "--eval", probe], {
      env: { NODE_ENV: "test" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [output] = await once(program.stdout, "data");
    expect(JSON.parse(String(output))).toEqual({
      passwd: "ERR_ACCESS_DENIED",
      data: "ERR_ACCESS_DENIED",
      secrets: "ERR_ACCESS_DENIED",
      write: "ERR_ACCESS_DENIED",
      spawn: "ERR_ACCESS_DENIED",
      thread: "ERR_ACCESS_DENIED",
      eval: "EvalError",
      proto: "none",
    });
  });

  test.runIf(process.platform === "linux")("do not have our environment", async () => {
    const { pid } = await newChild();
    const names = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .map((entry) => entry.split("=")[0]);
    expect(names.filter((name) => name !== "" && !name?.startsWith("NODE_"))).toEqual(["TZ"]);
  });
});
