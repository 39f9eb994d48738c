import { afterEach, describe, expect, test } from "vitest";
import type { StepErrorCode } from "#lib/contract/step-error";
import { runUserCode } from "#lib/platform/sandbox/run-user-code";

/**
 * Code that tries to escape, to run forever, or to take all memory. The guarantee is the same for each: it ends with an
 * error that its author can act on, or with a value that is only data; this process survives, and the next call works.
 */
/** Long enough for a busy machine when the code ends by itself, short when it never would. */
const PATIENT_MS = 30_000;
const LOOP_MS = 100;
const { signal } = new AbortController();
const defaults = { workspaceId: "w", input: { a: 1 }, timeoutMs: PATIENT_MS, signal };
const MIB = 1_048_576;

type Ending = { code: StepErrorCode; message: string } | { value: unknown };

async function endingOf(source: string, limits: { timeoutMs?: number; memoryBytes?: number } = {}): Promise<Ending> {
  try {
    const { value } = await runUserCode({ ...defaults, source, ...limits });
    return { value };
  } catch (error) {
    const { code, message } = error as { code: StepErrorCode; message: string };
    return { code, message };
  }
}

const refused = (message: string) => ({ code: "VALIDATION_ERROR", message: expect.stringContaining(message) });

afterEach(async () => {
  expect(await endingOf("return Object.keys(globalThis).length + input.a")).toEqual({ value: 1 });
  expect(Reflect.get(Object.prototype, "polluted")).toBeUndefined();
});

describe("code cannot reach the machine", () => {
  test.each([
    ["require", "return require('fs').readFileSync('/etc/passwd', 'utf8')", "use an HTTP step"],
    ["child_process", "return require('child_process').execSync('id')", "'require' is not defined"],
    [
      "import of a file system",
      "import fs from 'fs';\nexport default () => fs.readdirSync('/')",
      "Nothing can be imported",
    ],
    ["import in a body", "import fs from 'fs'; return fs", "SyntaxError"],
    ["re-export", "export * from 'node:os';\nexport default () => 1", "could not load module 'node:os'"],
    ["import()", "return await import('node:fs')", "Nothing can be imported"],
    ["import() of data", "return await import('data:text/javascript,export default 1')", "could not load module"],
    [
      "import() of our own library",
      "return await import('#lib/platform/sandbox/guest/install')",
      "could not load module",
    ],
    ["import() of a path", "return await import('/etc/passwd')", "could not load module"],
    ["process", "return process.env", "no access to the machine"],
    ["globalThis.process", "return globalThis.process.env", "cannot read property 'env' of undefined"],
    ["process by constructor", "return console.log.constructor('return process')()", "'process' is not defined"],
    ["process by constructor twice", "return input.constructor.constructor('return process')()", "'process' is not"],
    ["process by async function", "return (async () => {}).constructor('return process.env')()", "'process' is not"],
    ["process by generator", "return (function* () {}).constructor('return process')().next()", "'process' is not"],
    ["process by eval", "return eval('process')", "'process' is not defined"],
    ["process by indirect eval", "return (0, eval)('this').process.exit()", "cannot read property 'exit'"],
    ["process by Function", "return Function('return this')().process.mainModule", "cannot read property 'mainModule'"],
    [
      "process by a promise",
      "return (await Promise.resolve().constructor.constructor('return process')())",
      "not defined",
    ],
    [
      "process by an error",
      "try { null.x } catch (e) { return e.constructor.constructor('return process')() }",
      "not defined",
    ],
    ["process by structuredClone", "return structuredClone.constructor('return process')()", "'process' is not"],
    ["main thread by caller", "return (function f() { return f.caller })()", "TypeError"],
    ["global", "return global.process", "no access to the machine"],
    ["Deno", "return Deno.env.toObject()", "no access to the machine"],
    ["fetch", "return await fetch('http://169.254.169.254/latest/meta-data')", "Code has no network: use an HTTP step"],
    ["XMLHttpRequest", "return new XMLHttpRequest()", "Code has no network"],
    ["WebSocket", "return new WebSocket('ws://127.0.0.1')", "Code has no network"],
    ["QuickJS std", "return std.open('/etc/passwd', 'r')", "'std' is not defined"],
    ["QuickJS os", "return os.exec(['id'])", "'os' is not defined"],
    ["QuickJS loadScript", "return loadScript('/etc/passwd')", "'loadScript' is not defined"],
    ["Worker", "return new Worker('x.js')", "'Worker' is not defined"],
    ["WebAssembly", "return new WebAssembly.Memory({ initial: 1 })", "'WebAssembly' is not defined"],
    ["Atomics.wait", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", "'Atomics' is not defined"],
    ["the host's functions", "return __host.readOutcome()", "'__host' is not defined"],
    ["timers", "return new Promise((resolve) => setTimeout(resolve, 10))", "use a Delay step"],
    ["captureStackTrace", "Error.captureStackTrace({}); return 1", "TypeError"],
  ])("%s", async (_name, source, message) => {
    expect(await endingOf(source)).toEqual(refused(message));
  });

  test.each([
    [
      "stack frames",
      "Error.prepareStackTrace = (_, s) => s; return typeof new Error().stack?.[0]?.getThis",
      "undefined",
    ],
    ["import.meta", "export default () => import.meta.url ?? null", null],
    ["hidden globals", "return Object.getOwnPropertyNames(globalThis).filter((n) => /^(__|std|os)/.test(n))", []],
    ["leaving the wrapper", "}); globalThis.left = 1; (async () => { return typeof process", "undefined"],
    ["what an earlier call left", "const before = globalThis.left; globalThis.left = 1; return before ?? null", null],
  ])("%s have no contents", async (_name, source, value) => {
    expect(await endingOf(source)).toEqual({ value });
    expect(await endingOf(source)).toEqual({ value });
  });
});

describe("code can damage only its own call", () => {
  test.each([
    ["prototypes", "Object.prototype.polluted = 'x'; Array.prototype.map = null; return [1]", [1]],
    ["JSON", "JSON.stringify = () => '\"own\"'; JSON.parse = null; return { a: 1 }", { a: 1 }],
    ["Promise", "globalThis.Promise = class {}; return { a: 1 }", { a: 1 }],
    [
      "everything",
      "const [{ deleteProperty }, all] = [Reflect, globalThis]; for (const key of Reflect.ownKeys(all)) deleteProperty(all, key); return 5",
      5,
    ],
    ["frozen intrinsics", "Object.freeze(Object.prototype); Object.freeze(Promise.prototype); return 1", 1],
    ["setters on prototypes", "Object.defineProperty(Object.prototype, 'k', { set() {} }); return { k: 1 }", { k: 1 }],
    ["then on prototypes", "Object.prototype.then = function (r) { r('own') }; return {}", "own"],
    ["toJSON on prototypes", "Object.prototype.toJSON = () => 'own'; return {}", "own"],
    ["console", "console.log = null; globalThis.console = null; Array.prototype.join = null; return 1", 1],
    [
      "console by toJSON",
      "Array.prototype.toJSON = String.prototype.toJSON = () => { throw 1 }; console.log('a'); return 'b'",
      "b",
    ],
    ["console by proxies", "console.log(new Proxy({}, { get() { throw 1 } }), Symbol('s'), 1n); return 1", 1],
    ["__proto__ as data", 'return Object.keys(JSON.parse(\'{"__proto__": {"polluted": 1}}\'))', ["__proto__"]],
  ])("%s", async (_name, source, value) => {
    expect(await endingOf(source, { memoryBytes: 24 * MIB })).toEqual({ value });
  });

  test("__proto__ in a result stays a key", async () => {
    const { value } = (await endingOf('return JSON.parse(\'{"__proto__": {"polluted": 1}}\')')) as { value: object };
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
    expect(Reflect.get(value, "polluted")).toBeUndefined();
  });
});

describe("a result is JSON, or an error says why it cannot be", () => {
  test.each([
    [
      "a getter that throws",
      "return { get a() { throw new Error('boom') } }",
      "cannot be written as JSON: Error: boom",
    ],
    ["a proxy that throws", "return new Proxy({}, { ownKeys() { throw new Error('trap') } })", "Error: trap"],
    ["toJSON that throws", "return { toJSON() { throw 'no' } }", "cannot be written as JSON: no"],
    ["a circle", "const a = {}; a.a = a; return a", "circular"],
    ["a BigInt", "return { a: 1n }", "BigInt"],
    ["a function", "return () => 1", "a function cannot be written as JSON"],
    ["a symbol", "return Symbol('x')", "a symbol cannot be written as JSON"],
    ["2 MiB", "return 'x'.repeat(2 * 2 ** 20)", "larger than 1 MiB"],
    ["1.5 MiB of UTF-8", "return 'é'.repeat(800_000)", "larger than 1 MiB"],
    ["50 MiB", "return 'x'.repeat(50 * 2 ** 20)", "larger than 1 MiB"],
    ["nothing ever", "return new Promise(() => {})", "a promise that nothing will ever resolve"],
    ["a silent thenable", "return { then() {} }", "a promise that nothing will ever resolve"],
    ["a module that waits for ever", "await new Promise(() => {});\nexport default () => 1", "a promise that nothing"],
    ["a module that throws", "throw new Error('top');\nexport default () => 1", "Error: top (line 1)"],
    ["no function", "export default 42", "must export a function"],
    ["a class", "export default class {}", "TypeError"],
  ])("%s", async (_name, source, message) => {
    expect(await endingOf(source, { memoryBytes: 256 * MIB })).toEqual(refused(message));
  });

  test.each([
    ["null", "throw null", "The code threw null"],
    ["undefined", "throw undefined", "The code threw undefined"],
    ["a text", "throw 'plain'", "plain"],
    ["a symbol", "throw Symbol('x')", "Symbol(x)"],
    ["a trap", "throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } })", "no text"],
    ["a megabyte", "throw new Error('x'.repeat(1e6))", "Error: xxx"],
    ["an error of ours", "throw { name: 'StepError', code: 'UNKNOWN', message: 'forged' }", "StepError: forged"],
    [
      "an error behind a patched toJSON",
      "Object.prototype.toJSON = () => null; throw new Error('seen')",
      "Error: seen",
    ],
    ["an error behind a patched slice", "String.prototype.slice = () => ({ toJSON() {} }); throw new Error('x')", ""],
    [
      "an error behind patched everything",
      "String.prototype.slice = () => { throw 1 }; throw new Error('x')",
      "cannot be read",
    ],
    ["a rejection", "return Promise.reject(new TypeError('late'))", "TypeError: late (line 1)"],
  ])("thrown: %s", async (_name, source, message) => {
    const ending = await endingOf(source);
    expect(ending).toEqual(refused(message));
    expect((ending as { message: string }).message.length).toBeLessThan(1_200);
  });
});

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
    ["a list that is not there", "return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)"],
    ["a huge join", "return new Array(1e9) + ''"],
    ["a huge join by hand", "return new Array(2 ** 32 - 1).join().length"],
    ["a loop of small garbage", "for (;;) new WeakRef({})"],
  ])("%s", async (_name, source) => {
    const ending = await endingOf(source, { timeoutMs: LOOP_MS });
    expect(ending).toEqual({ code: "TIMEOUT", message: "The code ran longer than 0.1 s" });
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
    expect(ending).toEqual(refused("The code needs more than the 24 MiB of memory it may use"));
  });

  test.each([
    ["a text beyond all bounds", "return 'a'.repeat(2 ** 30)", "invalid string length"],
    ["a text that doubles", "let s = 'x'; for (;;) s += s", "string too long"],
    ["a buffer beyond all bounds", "return new ArrayBuffer(2 ** 40)", "invalid array buffer length"],
    ["a list beyond all bounds", "return Array.from({ length: 2 ** 32 })", "invalid array length"],
  ])("%s", async (_name, source, message) => {
    expect(await endingOf(source)).toEqual(refused(message));
  });
});

describe("code that goes too deep is stopped", () => {
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
  ])("%s", async (_name, source, message) => {
    expect(await endingOf(source)).toEqual(refused(message));
  });
});
