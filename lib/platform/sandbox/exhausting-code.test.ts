import { afterEach, describe, expect, test } from "vitest";
import { endingOf, expectUnharmed, invalid, threw, UNINTERRUPTIBLE } from "#lib/platform/sandbox/ending-of.fixture";

// Code that tries to run forever, to take all memory, or to break the stack ends with an error; the next call works.

/** Short, because such code never ends by itself. */
const LOOP_MS = 100;
const MIB = 1_048_576;

afterEach(expectUnharmed);

describe("code that takes too long is stopped", () => {
  test.each([
    ["an endless loop", "for (;;);"],
    ["a loop that catches", "for (;;) { try { for (;;); } catch {} }"],
    ["a loop in finally", "try { throw 1 } finally { for (;;); }"],
    ["a caught async loop", "for (;;) { try { await (async () => { for (;;); })() } catch {} }"],
    ["awaiting for ever", "for (;;) await null"],
    ["a loop of microtasks", "const f = () => Promise.resolve().then(f); await f()"],
    ["a thenable that resolves to itself", "return { then(resolve) { resolve(this) } }"],
    [
      "a patched then",
      "Object.getPrototypeOf(Promise.resolve()).then = () => { for (;;); }; return Promise.resolve(1).then()",
    ],
    ["a loop at import", "for (;;);\nexport default () => 1"],
    ["waiting for the clock", "const start = Date.now(); while (Date.now() - start < 1e6);"],
    ["a getter", "return { get a() { for (;;); } }"],
    ["toJSON", "return { toJSON() { for (;;); } }"],
    ["a thrown getter", "throw { get message() { for (;;); } }"],
    ["a comparator", "[3, 1, 2].sort(() => { for (;;); })"],
    ["an endless proxy", "return new Proxy({}, { ownKeys: () => { for (;;); } })"],
    ["a regular expression", "return /^(a+)+$/.test('a'.repeat(50) + 'b')"],
    ["another regular expression", "return /(x+x+)+y/.test('x'.repeat(100))"],
    ["a huge BigInt", "let a = 3n; for (;;) a *= a"],
    ["a search in a huge list", "return new Array(2 ** 32 - 1).indexOf(1)"],
    ["a list that is not there", UNINTERRUPTIBLE],
    ["a loop of small garbage", "for (;;) new WeakRef({})"],
  ])("%s", async (_name, source) => {
    const ending = await endingOf(source, { cpuMs: LOOP_MS });
    expect(ending).toEqual({ code: "TIMEOUT", message: "The code used more than 0.1 s of CPU time" });
  });

  // A join fills the memory while it runs; the machine decides which of the two limits it exceeds first.
  test.each([
    ["a huge join", "return new Array(1e9) + ''"],
    ["a huge join by hand", "return new Array(2 ** 32 - 1).join().length"],
  ])("%s", async (_name, source) => {
    const ending = await endingOf(source, { cpuMs: LOOP_MS });
    expect([
      { code: "TIMEOUT", message: "The code used more than 0.1 s of CPU time" },
      { code: "VALIDATION_ERROR", message: "The code needs more than the 64 MiB of memory it may use" },
    ]).toContainEqual(ending);
  });
});

describe("code that takes too much memory is stopped", () => {
  test.each([
    ["numbers", "const a = []; for (;;) a.push(1)"],
    ["objects", "const a = []; for (;;) a.push({ a: 1, b: [1, 2] })"],
    ["a Map", "const m = new Map(); for (let i = 0; ; i++) m.set(i, {})"],
    ["a Set", "const s = new Set(); for (let i = 0; ; i++) s.add('k' + i)"],
    ["keys", "const o = {}; for (let i = 0; ; i++) o['k' + i] = i"],
    ["buffers", "const a = []; for (;;) a.push(new Uint8Array(1e6))"],
    ["one buffer", "return new Uint8Array(2 ** 31 - 1).length"],
    ["one text", "return 'a'.repeat(2 ** 29).length"],
    ["symbols", "const a = []; for (;;) a.push(Symbol('x'.repeat(1000)))"],
    ["promises", "const a = []; for (;;) a.push(new Promise(() => {}))"],
    ["reactions", "const p = Promise.resolve(); for (;;) p.then(() => {})"],
    ["errors", "const a = []; for (;;) a.push(new Error('x'.repeat(1e4)))"],
    ["regular expressions", "const a = []; for (let i = 0; ; i++) a.push(new RegExp('a{1,1000}' + i))"],
    ["a generator", "return [...(function* () { for (;;) yield 1 })()]"],
    ["a JSON bomb", "let o = { a: 'lol' }; for (let i = 0; i < 40; i++) o = { a: o, b: o }; return o"],
    ["a wide JSON bomb", "const row = Array(100).fill('x'.repeat(1e4)); return Array(100).fill(Array(100).fill(row))"],
    ["caught exhaustion", "const a = []; try { for (;;) a.push(new Uint8Array(1e5)) } catch {} return 'on'"],
    ["caught exhaustion, awaited", "const a = []; try { for (;;) a.push([a]) } catch {} await 1; return 'on'"],
    ["exhaustion again and again", "for (;;) { try { const a = []; for (;;) a.push(new Uint8Array(1e6)) } catch {} }"],
    ["a long console line", "console.log('x'.repeat(2e7)); return 1"],
    ["a list of a billion", "return new Array(2 ** 28).fill(0).length"],
  ])("%s", async (_name, source) => {
    const ending = await endingOf(source, { memoryBytes: 24 * MIB });
    expect(ending).toEqual(invalid("The code needs more than the 24 MiB of memory it may use"));
  });

  test.each([
    ["a text beyond all bounds", "return 'a'.repeat(2 ** 30)", "invalid string length"],
    ["a text that doubles", "let s = 'x'; for (;;) s += s", "string too long"],
    ["a buffer beyond all bounds", "return new ArrayBuffer(2 ** 40)", "invalid array buffer length"],
    ["a list beyond all bounds", "return Array.from({ length: 2 ** 32 })", "invalid array length"],
  ])("%s", async (name, source, message) => {
    const ending = name === "a text that doubles" ? invalid : threw;
    expect(await endingOf(source)).toEqual(ending(message));
  });
});

describe("code that goes too deep is stopped", () => {
  /** The parsers of the language throw for themselves; the interpreter ends everything else. */
  const THROWN = new Set(["nested JSON", "a nested regular expression", "captures"]);

  test.each([
    ["recursion", "const f = () => f(); return f()", "stack overflow"],
    ["async recursion", "const f = async () => await f(); return f()", "stack overflow"],
    ["a getter of itself", "const o = { get a() { return this.a } }; return o.a", "stack overflow"],
    ["toString of itself", "const o = { toString() { return '' + this } }; return '' + o", "stack overflow"],
    ["replace in replace", "const f = () => 'a'.replace(/a/, f); return f()", "stack overflow"],
    ["Reflect.apply", "const f = (...a) => Reflect.apply(f, null, a); return f()", "stack overflow"],
    ["a constructor of itself", "class A { constructor() { new A() } }; new A()", "stack overflow"],
    [
      "a chain of proxies",
      "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x",
      "stack overflow",
    ],
    ["nested JSON", "return JSON.parse('['.repeat(5e5) + ']'.repeat(5e5))", "stack overflow"],
    ["nested lists as text", "let a = []; for (let i = 0; i < 1e4; i++) a = [a]; return String(a)", "stack overflow"],
    [
      "a nested regular expression",
      "return new RegExp('(?:'.repeat(5e4) + 'a' + ')*'.repeat(5e4)).test('b')",
      "stack overflow",
    ],
    ["captures", "return new RegExp('('.repeat(1e5) + ')'.repeat(1e5))", "too many captures"],
    ["eval of brackets", "return eval('('.repeat(1e5) + ')'.repeat(1e5))", ""],
    ["brackets in the source", `return ${"(".repeat(1e5)}`, "nested too deeply"],
    ["lists in the source", `return ${"[".repeat(2e5)}${"]".repeat(2e5)}`, "nested too deeply"],
    ["operators in the source", `return ${"!".repeat(3e5)}1`, "nested too deeply"],
    ["a sum in the source", `return 1${"+1".repeat(2e5)}`, "nested too deeply"],
    ["types in the source", `let a: ${"Array<".repeat(1e5)}1${">".repeat(1e5)}; return 1`, "nested too deeply"],
  ])("%s", async (name, source, message) => {
    expect(await endingOf(source)).toEqual((THROWN.has(name) ? threw : invalid)(message));
  });
});
