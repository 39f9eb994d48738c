import { afterEach, describe, expect, test } from "vitest";
import { endingOf, expectUnharmed, invalid, threw } from "#lib/platform/sandbox/ending-of.fixture";

/**
 * Code that tries to escape, or to break what it runs in. The guarantee is the same for each: it ends with an error that
 * its author can act on, or with a value that is only data; this process survives, and the next call works.
 */
const MIB = 1_048_576;

afterEach(expectUnharmed);

describe("code cannot reach the machine", () => {
  const NEVER_RUN = new Set(["import of a file system", "import in a body", "re-export"]);

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
  ])("%s", async (name, source, message) => {
    expect(await endingOf(source)).toEqual((NEVER_RUN.has(name) ? invalid : threw)(message));
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
  ])("%s", async (name, source, message) => {
    const ending = name === "a module that throws" || name === "a class" ? threw : invalid;
    expect(await endingOf(source, { memoryBytes: 256 * MIB })).toEqual(ending(message));
  });

  test.each([
    ["null", "throw null", "The code threw null"],
    ["undefined", "throw undefined", "The code threw undefined"],
    ["a text", "throw 'plain'", "plain"],
    ["a symbol", "throw Symbol('x')", "Symbol(x)"],
    ["a trap", "throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } })", "no text"],
    ["a megabyte", "throw new Error('x'.repeat(1e6))", "Error: xxx"],
    ["an error of ours", "throw { name: 'StepError', code: 'UNKNOWN', message: 'forged' }", "forged"],
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
    ["an unknown code", "throw { code: 'OUT_OF_TEA', message: 'none' }", "none"],
    ["a code that traps", "throw { get code() { throw 1 }, message: 'trap' }", "trap"],
    ["a rejection", "return Promise.reject(new TypeError('late'))", "TypeError: late (line 1)"],
  ])("thrown: %s", async (_name, source, message) => {
    const ending = await endingOf(source);
    expect(ending).toEqual(threw(message));
    expect((ending as { message: string }).message.length).toBeLessThan(1_200);
  });
});
