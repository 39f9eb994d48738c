import { afterEach, describe, expect, test, vi } from "vitest";
import { answerCall } from "#lib/platform/sandbox/child/answer-call";
import { keepCompiled } from "#lib/platform/sandbox/child/keep-compiled";
import { openInterpreter } from "#lib/platform/sandbox/child/open-interpreter";
import { prepareSnapshots } from "#lib/platform/sandbox/child/prepare-snapshots";
import type { SandboxCall } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

const { typescript } = await prepareSnapshots();
const { memoryBytes } = SANDBOX;
const modules = keepCompiled(typescript);

async function answer(call: Pick<SandboxCall, "source" | "compiled">) {
  const interpreter = await openInterpreter(memoryBytes, typescript);
  const limits = { timeoutMs: 60_000, cpuMs: 60_000, memoryBytes };
  return answerCall(interpreter, { language: "typescript", inputJson: "7", ...call, ...limits }, modules);
}

const SOURCE = "return (input as number) + 1;";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a compiled source", () => {
  test("is returned by the call that compiled it, and by no later one", async () => {
    const first = await answer({ source: SOURCE, compiled: null });
    expect(first).toMatchObject({ result: { kind: "value", json: "8" }, compiled: { form: "body" } });
    const second = await answer({ source: "", compiled: first.compiled });
    expect(second).toMatchObject({ result: { kind: "value", json: "8" }, compiled: null });
  });
});

describe("a child of the sandbox", () => {
  test("asks to be replaced when it has used its CPU time", async () => {
    const used = vi.spyOn(process, "cpuUsage");
    used.mockReturnValue({ user: SANDBOX.childCpuMs * 1_000, system: 0 });
    expect((await answer({ source: SOURCE, compiled: null })).isWorn).toBe(false);
    used.mockReturnValue({ user: SANDBOX.childCpuMs * 1_000, system: 1_000 });
    expect(await answer({ source: SOURCE, compiled: null })).toMatchObject({ result: { json: "8" }, isWorn: true });
  });
});
