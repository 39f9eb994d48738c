import { expect, test } from "vitest";
import { endingOf } from "#lib/platform/sandbox/ending-of.fixture";

/** The frames that a stack may have: places in the user's source, and functions of the sandbox without a path. */
const FRAME = /^ {4}at (.+ \((code\.ts:\d+:\d+|native|\.\/signalbox:[a-z0-9-]+:\d+:\d+)\)|<input>:\d+:\d+)$/;
/** Longer than what the sandbox compiles for each call. */
const LONG = `// ${"x".repeat(5_000)}\n`;

test.each([
  ["returned", "return new Error('a').stack", "code.ts:1:"],
  ["of a nested call", "const f = () => new Error('a').stack;\nreturn [1].map(() => f())[0]", "code.ts:2:"],
  ["of a cause", "return new Error('a', { cause: new TypeError('b') }).cause.stack", "code.ts:1:"],
  ["of an aggregate error", "return new AggregateError([new Error('a')], 'b').stack", "code.ts:1:"],
  ["of one of several errors", "return new AggregateError([new Error('a')], 'b').errors[0].stack", "code.ts:1:"],
  ["of a clone", "return structuredClone(new Error('a')).stack", "code.ts:1:"],
  ["in a module", "export default () => new Error('a').stack", "code.ts:1:"],
  ["in the statements of a module", "const s = new Error('a').stack;\nexport default () => s", "code.ts:1:"],
  ["in a module that stays compiled", `${LONG}const s = new Error('a').stack;\nexport default () => s`, "code.ts:2:"],
  ["after an await", "await null; return new Error('a').stack", "code.ts:1:"],
  ["in a property that is read for the result", "return { toJSON: () => new Error('a').stack }", "code.ts:1:"],
  ["of code that cannot be parsed", "try { eval('let a = ;') } catch (e) { return e.stack }", "code.ts:1:"],
  ["of a made function", "try { new Function('let a = ;') } catch (e) { return e.stack }", "code.ts:1:"],
  ["of structuredClone", "try { structuredClone(() => 1) } catch (e) { return e.stack }", "code.ts:1:"],
  ["of atob", "try { atob('€') } catch (e) { return e.stack }", "code.ts:1:"],
  ["of URL", "try { new URL('a') } catch (e) { return e.stack }", "code.ts:1:"],
  ["of crypto", "try { crypto.getRandomValues(1) } catch (e) { return e.stack }", "code.ts:1:"],
  ["of TextDecoder", "try { new TextDecoder('a') } catch (e) { return e.stack }", "code.ts:1:"],
  [
    "of locales",
    "try { 'a'.toLocaleUpperCase('xx'); new Date().toLocaleString('de') } catch (e) { return e.stack }",
    "code.ts:1:",
  ],
])("a stack %s names places in the user's source, and no path of the machine", async (_, source, place) => {
  const { value } = (await endingOf(source)) as { value: string };
  expect(value).toContain(place);
  expect(
    value
      .trimEnd()
      .split("\n")
      .filter((line) => !FRAME.test(line)),
  ).toEqual([]);
});

test.each([
  ["a message", "throw new Error(new Error('a').stack)"],
  ["a message that is read late", "throw { get message() { return new Error('a').stack } }"],
  ["a replaced message", "const e = new Error('a'); e.message = e.stack; throw e"],
  ["a reason why there is no result", "return { toJSON() { throw new Error(new Error('a').stack) } }"],
])("%s with a stack contains no path of the machine", async (_, source) => {
  const { message } = (await endingOf(source)) as { message: string };
  expect(message).toContain("code.ts:1:");
  expect(message).not.toMatch(/node_modules|\/guest\/|\.mjs/);
  expect(message).not.toContain(process.cwd());
});

test("the console and the properties of functions contain no path of the machine", async () => {
  const source = `const lines = [];
    try { console.log({ toJSON: () => { lines.push(new Error('a').stack) } }) } catch {}
    return [lines, [URL, atob, structuredClone, console.log].map((f) => [f.fileName, f.name, String(f)])]`;
  const text = JSON.stringify(await endingOf(source));
  expect(text).toContain("signalbox:console");
  expect(text).not.toMatch(/node_modules|\/guest\/|\.mjs/);
  expect(text).not.toContain(process.cwd());
});

test.each(["signalbox:run-main", "./signalbox:run-main", "././signalbox:run-main", "../signalbox:run-main"])(
  "user code cannot import the module %s of the sandbox",
  async (name) => {
    const source = `try { return Object.keys(await import("${name}")) } catch (error) { return error.message }`;
    expect(await endingOf(source)).toEqual({ value: expect.stringContaining("could not load module") });
  },
);
