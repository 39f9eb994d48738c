import { describe, expect, test } from "vitest";
import { answerCall } from "#lib/platform/sandbox/child/answer-call";
import { keepCompiled } from "#lib/platform/sandbox/child/keep-compiled";
import { type Interpreter, openInterpreter, resetInterpreter } from "#lib/platform/sandbox/child/open-interpreter";
import { prepareSnapshots } from "#lib/platform/sandbox/child/prepare-snapshots";
import type { SandboxCall, SandboxReply } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

const snapshots = await prepareSnapshots();
const { memoryBytes } = SANDBOX;
const modules = keepCompiled(snapshots.typescript);

const open = (language: SandboxCall["language"] = "typescript") => openInterpreter(memoryBytes, snapshots[language]);

function run(interpreter: Interpreter, source: string, input: unknown = null, more: Partial<SandboxCall> = {}) {
  const inputJson = JSON.stringify(input);
  const limits = { timeoutMs: 60_000, cpuMs: 60_000, memoryBytes };
  const call = { language: "typescript", source, compiled: null, inputJson, ...limits, ...more } as const;
  return answerCall(interpreter, call, modules);
}

function reset(interpreter: Interpreter, language: SandboxCall["language"] = "typescript"): Interpreter {
  const found = resetInterpreter(interpreter, snapshots[language]);
  if (!found) throw new Error("The memory has grown");
  return found;
}

const bytesOf = ({ memory }: Interpreter) => Buffer.from(new Uint8Array(memory.buffer));
const resultOf = ({ result }: SandboxReply) => (result.kind === "value" ? JSON.parse(result.json) : result);

const SECRET = "secret-of-another-workspace";
const ENDINGS: [string, string, Partial<SandboxCall>?][] = [
  ["returns", "return input.repeat(100)"],
  ["throws", "throw new Error(input)"],
  [
    "leaves jobs behind",
    "for (let i = 0; i < 50; i++) Promise.resolve(input + i).then(() => {}); return new Promise(() => {})",
  ],
  ["is interrupted", "const kept = []; for (let i = 0; ; i++) kept[i % 999] = input + i", { timeoutMs: 50 }],
  ["overflows the stack", "const f = (s) => f(s + input) + 1; return f('')"],
  ["patches everything", "Object.prototype.a = Array.prototype.map = JSON.parse = () => input; return 1"],
  ["breaks off while it is parsed", "return (input;"],
];

describe("an interpreter that is used again", () => {
  test.each(ENDINGS)(
    "has the memory of a new one, byte for byte, after a call that %s",
    async (_name, source, more) => {
      const used = await open();
      run(used, source, SECRET, more);
      expect(bytesOf(used).includes(SECRET)).toBe(!source.includes("(input;"));
      const again = bytesOf(reset(used));
      expect(again.includes(SECRET)).toBe(false);
      expect(again.equals(bytesOf(await open()))).toBe(true);
    },
  );

  test("has the memory of a new one for JSONata, too", async () => {
    const used = await open("jsonata");
    run(used, "$uppercase($) & $", SECRET, { language: "jsonata" });
    expect(bytesOf(used).includes(SECRET)).toBe(true);
    expect(bytesOf(reset(used, "jsonata")).equals(bytesOf(await open("jsonata")))).toBe(true);
  });

  test("answers hundreds of calls like a new one, and keeps its stack", async () => {
    let interpreter = await open();
    const depth = "let n = 0; const f = () => { n++; f(); }; try { f(); } catch {} return n";
    const first = resultOf(run(interpreter, depth));
    for (let round = 0; round < 300; round += 1) {
      interpreter = reset(interpreter);
      const [, source = "", more] = ENDINGS[round % ENDINGS.length] ?? [];
      run(interpreter, source, SECRET, { ...more, ...(more?.timeoutMs ? { timeoutMs: 2 } : {}) });
    }
    expect(resultOf(run(reset(interpreter), depth))).toBe(first);
    expect(resultOf(run(reset(interpreter), "return [input, typeof Object.prototype.a]", 7))).toEqual([7, "undefined"]);
  });

  test("draws other random numbers for every call", async () => {
    let interpreter = await open();
    const drawn = new Set<unknown>();
    for (let round = 0; round < 20; round += 1) {
      drawn.add(resultOf(run(interpreter, "return crypto.randomUUID() + Math.random()")));
      interpreter = reset(interpreter);
    }
    expect(drawn.size).toBe(20);
  });

  test("is not used again when its memory has grown", async () => {
    const used = await open();
    expect(resultOf(run(used, "return new Uint8Array(30e6).length"))).toBe(30e6);
    expect(resetInterpreter(used, snapshots.typescript)).toBeNull();
  });
});
