import { describe, expect, test, vi } from "vitest";
import { answerCall } from "#lib/platform/sandbox/child/answer-call";
import { type CompiledModules, keepCompiled } from "#lib/platform/sandbox/child/keep-compiled";
import { type Interpreter, openInterpreter, resetInterpreter } from "#lib/platform/sandbox/child/open-interpreter";
import { prepareSnapshots } from "#lib/platform/sandbox/child/prepare-snapshots";
import type { SandboxCall } from "#lib/platform/sandbox/sandbox-call";
import { SANDBOX } from "#lib/platform/sandbox/sandbox-limits";

const { typescript } = await prepareSnapshots();
const { memoryBytes } = SANDBOX;
const NONE: CompiledModules = { load: () => false };
const SECRET = "secret-of-another-workspace";

const open = () => openInterpreter(memoryBytes, typescript);
const bytesOf = ({ memory }: Interpreter) => Buffer.from(new Uint8Array(memory.buffer));

/** Long enough to be kept. The lines of the module stay where they are. */
const padded = (code: string) => `${code}\n//${"-".repeat(SANDBOX.compiledCharactersMin)}`;

function run(interpreter: Interpreter, code: string, modules: CompiledModules, more: Partial<SandboxCall> = {}) {
  const limits = { timeoutMs: 60_000, cpuMs: 60_000, memoryBytes };
  const compiled = { form: "module", code: padded(code) } as const;
  const call = { language: "typescript", source: "", compiled, inputJson: '{"n":7}', ...limits, ...more } as const;
  return answerCall(interpreter, call, modules);
}

const MODULES: [string, string, Partial<SandboxCall>?][] = [
  ["returns", "export default async (input) => ({ n: input.n + 1 });"],
  ["keeps state", "let n = 0; const all = []; export default () => [++n, all.push(n)];"],
  ["writes to the console", "console.log('top'); export default () => console.warn('inner');"],
  ["changes prototypes first", "Array.prototype.map = () => 'own'; export default () => [1].map((n) => n);"],
  ["waits at its top", "const one = await Promise.resolve(1); export default () => one;"],
  ["waits for ever at its top", "await new Promise(() => {});\nexport default () => 1;"],
  ["throws", "export default (input) => {\n  return input.missing.name;\n};"],
  ["throws in a function", "const f = (v) => {\n  throw new RangeError(v);\n};\nexport default (input) => f(input.n);"],
  ["throws at its top", "const a = 1;\nthrow new TypeError('top');\nexport default () => a;"],
  ["uses what is missing", "\nexport default () => fetch('https://example.com');"],
  ["does not compile", "const a = ;\nexport default () => a;"],
  ["imports", "import fs from 'node:fs';\nexport default () => fs.readdirSync('/');"],
  ["imports later", "export default async () => (await import('node:fs')).default;"],
  ["imports itself", "export const own = 5; export default async () => (await import('code.ts')).own;"],
  ["reads its address", "export default () => import.meta.url ?? null;"],
  ["reads this", "const outer = typeof this; export default function () { return [outer, typeof this]; }"],
  ["exports no function", "export default 42;"],
  ["exports then", "export const then = (done) => done({ default: () => 'other' }); export default () => 'own';"],
  ["exports nothing", "export const a = 1;"],
  ["loops at its top", "for (;;);\nexport default () => 1;", { cpuMs: 50 }],
  ["loops", "export default () => { for (;;); };", { cpuMs: 50 }],
  [
    "takes all memory at its top",
    "const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));\nexport default () => 1;",
  ],
  ["recurses at its top", "const f = () => f() + 1; f();\nexport default () => 1;"],
  ["returns what has no JSON", "export default () => 1n;"],
];

describe("a module whose compiled form is kept", () => {
  test.each(MODULES)("answers like one that is compiled for the call: %s", async (_name, code, more) => {
    const modules = keepCompiled(typescript);
    const expected = run(await open(), code, NONE, more);
    expect(run(await open(), code, modules, more), "when it is compiled").toEqual(expected);
    expect(run(await open(), code, modules, more), "when it is copied").toEqual(expected);
  });

  test("is compiled once, in whichever interpreters it runs", async () => {
    const modules = keepCompiled(typescript);
    let interpreter = await open();
    const compile = vi.spyOn(Object.getPrototypeOf(interpreter.context), "evalCode");
    const compiled = () => compile.mock.calls.filter(([code]) => String(code).includes("export default")).length;
    for (let call = 0; call < 5; call += 1) {
      expect(run(interpreter, "export default (input) => input.n;", modules).result).toMatchObject({ json: "7" });
      interpreter = (call % 2 === 0 ? resetInterpreter(interpreter, typescript) : null) ?? (await open());
    }
    expect(compiled()).toBe(1);
    compile.mockRestore();
  });

  test("holds nothing of a call", async () => {
    const modules = keepCompiled(typescript);
    const code = "let seen = []; export default (input) => { seen.push(input); globalThis.seen = seen; return seen; };";
    const used = await open();
    run(used, code, modules, { inputJson: JSON.stringify(SECRET.repeat(50)) });
    expect(bytesOf(used).includes(SECRET)).toBe(true);
    const [copied, compiled] = [await open(), await open()];
    modules.load(copied, padded(code));
    keepCompiled(typescript).load(compiled, padded(code));
    expect(bytesOf(copied).includes(SECRET)).toBe(false);
    expect(bytesOf(copied).equals(bytesOf(compiled))).toBe(true);
  });

  test("leaves nothing in an interpreter that is reset", async () => {
    const modules = keepCompiled(typescript);
    const code = `export default () => "${SECRET}";`;
    for (let call = 0; call < 2; call += 1) {
      const used = await open();
      run(used, code, modules);
      expect(bytesOf(used).includes(SECRET)).toBe(true);
      const again = resetInterpreter(used, typescript);
      expect(again && bytesOf(again).equals(bytesOf(await open()))).toBe(true);
    }
  });

  test("makes room for modules that are used later", async () => {
    const modules = keepCompiled(typescript);
    const compile = vi.spyOn(Object.getPrototypeOf((await open()).context), "evalCode");
    const isCompiled = async (name: number) => {
      compile.mockClear();
      const functions = Array.from({ length: 600 }, (_, index) => `const f${index} = (a) => [a, ${name}, ${index}];`);
      expect(modules.load(await open(), `${functions.join("\n")}\nexport default f1;`)).toBe(true);
      return compile.mock.calls.length > 0;
    };
    const count = 40;
    for (let name = 0; name < count; name += 1) {
      expect(await isCompiled(name)).toBe(true);
      expect(await isCompiled(0), "the one that is used all the time").toBe(false);
    }
    expect(await isCompiled(count - 1)).toBe(false);
    expect(await isCompiled(1), "the one that was used first").toBe(true);
    compile.mockRestore();
  });
});
