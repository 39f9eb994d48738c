import { describe, expect, test } from "vitest";
import { STEP_ERROR_CODES } from "#lib/contract/run/step-error";
import { runUserCode } from "#lib/platform/sandbox/run-user-code";
import { SandboxError } from "#lib/platform/sandbox/sandbox-error";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const { signal } = new AbortController();
const limits = { workspaceId: "w", timeoutMs: 30_000, signal };

async function resultOf(source: string, input: unknown = {}): Promise<unknown> {
  const { value } = await runUserCode({ source, input, ...limits });
  return value;
}

async function errorOf(source: string, cpuMs?: number): Promise<SandboxError> {
  const error = await runUserCode({ ...limits, source, input: {}, cpuMs }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SandboxError)) throw new Error("The code was to fail in the sandbox", { cause: error });
  return error;
}

describe("the language", () => {
  test.each([
    ["a module", "export default async (input: { n: number }): Promise<number> => input.n + 1"],
    ["a module with a plain function", "export default function (input: any) { return input.n + 1 }"],
    [
      "a module with a named function",
      "const add = (n: number) => n + 1;\nexport default (input: any) => add(input.n)",
    ],
    ["a module that awaits", "const one = await Promise.resolve(1);\nexport default (input: any) => input.n + one"],
    [
      "a module with types of its own",
      "interface In { n: number }\ntype Out = number;\nexport default (i: In): Out => i.n + 1",
    ],
    ["a module with type imports", "import type { Thing } from 'thing';\nexport default (input: Thing) => input.n + 1"],
    ["a body", "return input.n + 1"],
    ["a body with types", "const n: number = input.n as number;\nreturn n satisfies number + 1"],
    ["a body that awaits", "const n = await Promise.resolve(input.n); return n + 1"],
    ["a body that ends in a comment", "return input.n + 1 // one more"],
    ["a body that speaks of modules", "const text = 'export default 1'; return text.length && input.n + 1"],
  ])("%s", async (_name, source) => {
    expect(await resultOf(source, { n: 1 })).toBe(2);
  });

  test("modern syntax works", async () => {
    const source = `
      class Point { #x = 1; static origin = new Point(); get x() { return this.#x } }
      const { a = 5, ...rest } = input ?? {};
      const found = "2024-05-06".match(/(?<year>\\d{4})-(?<=-)(\\d\\d)/u)?.groups?.year;
      const grouped = Object.groupBy([1, 2, 3], (n: number) => (n % 2 ? "odd" : "even"));
      return [Point.origin.x, a, rest, found, grouped, [3, 1, 2].toSorted(), [1, 2].at(-1), 2n ** 70n + "", a?.b ?? null];`;
    expect(await resultOf(source, { b: 1 })).toEqual([
      1,
      5,
      { b: 1 },
      "2024",
      { odd: [1, 3], even: [2] },
      [1, 2, 3],
      2,
      "1180591620717411303424",
      null,
    ]);
  });

  test.each([
    [null, null],
    ["text with \u0000, \ud800 and 😀", "text with \u0000, \ud800 and 😀"],
    [
      [1, [2, { a: null }]],
      [1, [2, { a: null }]],
    ],
  ])("input %j is returned unchanged", async (input, output) => {
    expect(await resultOf("return input", input)).toEqual(output);
  });

  test("a missing input is null", async () => {
    const { value } = await runUserCode({ source: "return [input]", input: undefined, ...limits });
    expect(value).toEqual([null]);
  });

  test("values that JSON leaves out are left out", async () => {
    expect(await resultOf("return { a: undefined, f() {}, [Symbol('s')]: 1, n: -0, d: new Date(0) }")).toEqual({
      n: 0,
      d: "1970-01-01T00:00:00.000Z",
    });
    expect(await resultOf("")).toBeNull();
    expect(await resultOf("class P { x = 1; #y = 2; m() {} }\nreturn [new P(), Object.create(null), [,]]")).toEqual([
      { x: 1 },
      {},
      [null],
    ]);
    expect(await resultOf("return [9007199254740991, 6.02e23, 0.1, 1e21]")).toEqual([2 ** 53 - 1, 6.02e23, 0.1, 1e21]);
  });

  test.each([
    ["return { a: [{ n: NaN }] }", "result.a[0].n is NaN"],
    ["return [1, Infinity]", "result[1] is Infinity"],
    ["return -Infinity", "result is -Infinity"],
    ["return { d: new Date('x') }", "result.d is an invalid date"],
    ["return { m: new Map([['a', 1]]) }", "result.m is a Map: return Object.fromEntries(map)"],
    ["return new Set([1])", "result is a Set: return [...set]"],
    ["return { b: { big: 1n } }", "result.b.big is a BigInt: return String(value)"],
    ["return { b: new Uint8Array(2) }", "result.b is binary data"],
    ["return { b: new ArrayBuffer(2) }", "result.b is an ArrayBuffer"],
    ["return { p: Promise.resolve(1) }", "result.p is a promise: await it"],
    ["return { r: /a/ }", "result.r is a regular expression"],
    ["return { e: new TypeError('x') }", "result.e is an error"],
    ["const a = { b: [] }; a.b.push(a); return a", "result.b[0] is a circular reference"],
    ["return { toJSON: () => ({ n: NaN }) }", "result.n is NaN"],
    ["return { id: 8202522731445525542 }", "result.id is 8202522731445526000, an integer beyond 2^53"],
    ["return { id: -(2 ** 53) }", "result.id is -9007199254740992, an integer beyond 2^53"],
    ["return { n: new Number(NaN) }", "result.n is NaN"],
    ["return { m: new (class A extends Map {})() }", "result.m is a Map"],
    ["return { all: new Map([[1, 2]]).values() }", "result.all is an iterator or a similar object: return [...values]"],
    ["return [1, 2].entries()", "result is an iterator or a similar object"],
    ["return { g: (function* () { yield 1 })() }", "result.g is an iterator or a similar object"],
    ["return { g: (async function* () { yield 1 })() }", "result.g is an async iterator"],
    ["return { query: new URLSearchParams('a=1') }", "result.query is an iterator or a similar object"],
    ["return { w: new WeakRef({}) }", "result.w is a weak reference"],
    ["return { list: [1, () => 2] }", "result.list[1] is a function: call it"],
    ["return [Symbol('s')]", "result[0] is a symbol"],
  ])("a value that JSON would change fails with its path: %s", async (source, problem) => {
    const error = await errorOf(source);
    expect(error).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(error.message).toContain(`The result cannot be written as JSON: ${problem}`);
  });

  test.each([
    ["new Date(0).toLocaleString('en-US', { timeZone: 'America/New_York' })", "format_date"],
    ["new Date(0).toLocaleDateString('de-DE')", "format_date"],
    ["new Date(0).toLocaleTimeString(undefined, { hour: '2-digit' })", "format_date"],
    ["new Date(0).toLocaleString('en-US', { timeZone: 'Nowhere/Land' })", "format_date"],
    ["(1234.5).toLocaleString('de-DE')", "format_number"],
    ["(5).toLocaleString(undefined, { style: 'percent' })", "format_number"],
    ["'a10'.localeCompare('a9', undefined, { numeric: true })", "toLowerCase"],
    ["'a10'.localeCompare('a9', 'en-u-kn-true')", "toLowerCase"],
    ["'ä'.localeCompare('z', 'sv')", "toLowerCase"],
    ["'ch'.localeCompare('d', ['cs', 'en'])", "toLowerCase"],
    ["(5n).toLocaleString('de-DE')", "format_number"],
    ["[1234.5].toLocaleString('de-DE')", "format_number"],
    ["new Float64Array([1.5]).toLocaleString('de-DE')", "format_number"],
    ["[new Date(0)].toLocaleString('en-US', { timeZone: 'Asia/Tokyo' })", "format_date"],
    ["new Date(0).toLocaleString('en-US', { timeZone: 'UTC', hour12: false })", "format_date"],
    ["'i'.toLocaleUpperCase('tr')", "Replace the letters yourself"],
  ])("a locale or time zone that code cannot have is an error: %s", async (expression, words) => {
    const { message } = await errorOf(`return ${expression}`);
    expect(message).toContain("There are no locales and time zones in code");
    expect(message).toContain(words);
  });

  test.each(["Intl.DateTimeFormat('en-US')", "Intl.NumberFormat('de')", "Temporal.Now.instant()"])(
    "%s is an error that names what to use instead",
    async (expression) => {
      const { message } = await errorOf(`return new ${expression}`);
      expect(message).toContain(
        "Use {{format_date(date, pattern, time_zone)}} and {{format_number(number, decimals)}}",
      );
    },
  );

  test("without a locale, numbers and dates are what they are elsewhere in English and UTC", async () => {
    const numbers = [0, 7, -0.0004, 1.0005, 0.0005, 2.5e-7, 999.9995, 1234.5, -1234567.8915, 1e21, 123456789012345680];
    const dates = [0, Date.UTC(2026, 0, 5, 15, 4, 9), Date.UTC(2026, 11, 31, 12), -1, 253402300799000].map(
      (ms) => new Date(ms),
    );
    const utc = { timeZone: "UTC" };
    const expected = {
      numbers: numbers.map((number) => number.toLocaleString("en-US")),
      others: [Number.NaN, -0, Number.NEGATIVE_INFINITY].map((number) => number.toLocaleString("en-US")),
      dates: dates.map((date) => [
        date.toLocaleString("en-US", utc),
        date.toLocaleDateString("en-US", utc),
        date.toLocaleTimeString("en-US", utc),
      ]),
      list: [1234.5, null, "a", 1234567n].toLocaleString("en-US"),
      invalid: "Invalid Date",
    };
    const source = `
      const dates = input.dates.map((ms) => new Date(ms));
      return {
        numbers: input.numbers.map((number) => number.toLocaleString()),
        others: [NaN, -0, -Infinity].map((number) => number.toLocaleString("en-US")),
        dates: dates.map((date) => [date.toLocaleString(), date.toLocaleDateString("en"), date.toLocaleTimeString("en-US", { timeZone: "UTC" })]),
        list: [1234.5, null, "a", 1234567n].toLocaleString(),
        invalid: new Date(NaN).toLocaleString(),
      }`;
    expect(await resultOf(source, { numbers, dates: dates.map((date) => date.getTime()) })).toEqual(expected);
  });

  test("without a locale, texts have the order that they have elsewhere in English", async () => {
    const random = seededRandom(5);
    const alphabet = [..."aAbBzZ09 _-.,'éÉèöÖÅßñøŁёЁежяЯя", "e\u0301", "İ"];
    const word = () => Array.from({ length: random.below(5) }, () => random.pick(alphabet)).join("");
    const pairs = Array.from({ length: 3_000 }, () => [word(), word()] as const);
    const orders = (await resultOf(
      "return input.map(([a, b]) => [a.localeCompare(b), a.localeCompare(b, 'de')])",
      pairs,
    )) as number[][];
    const wrong = pairs.filter(([a, b], at) =>
      orders[at]?.some((order) => order !== Math.sign(a.localeCompare(b, "en"))),
    );
    expect(wrong).toEqual([]);
    expect(
      await resultOf("return ['i'.toLocaleUpperCase('en'), 'I'.toLocaleLowerCase(), 'a'.localeCompare(5)]"),
    ).toEqual(["I", "i", 1]);
  });

  test("input and result can have exactly 1 MiB", async () => {
    const text = "x".repeat(1_048_576 - 2);
    expect(await resultOf("return input", text)).toBe(text);
    expect(await errorOf("return 'x'.repeat(1_048_576 - 1)")).toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(resultOf("return 1", `${text}x`)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "The input is larger than 1 MiB",
    });
  });
});

describe("errors name the author's line", () => {
  test.each([
    ["thrown in a body", "\n\nthrow new Error('boom')", "Error: boom (line 3)"],
    ["thrown in a function", "const f = (x: any) => {\n  return x.y.z;\n};\nreturn f({})", "(line 2)"],
    ["thrown in a module", "export default (input: {\n  a: string\n}) => {\n  null.x\n}", "(line 4)"],
    ["thrown below the library", "const a = 1;\nreturn new URL('nowhere')", "TypeError: Invalid URL: nowhere (line 2)"],
    ["thrown after an await", "await null;\nthrow new RangeError('late')", "RangeError: late (line 2)"],
    ["syntax", "const a = 1;\nconst b = ;", "SyntaxError: Expression expected (line 2)"],
    ["syntax that ends too early", "if (input) {\n  return 1", "SyntaxError"],
    ["a name used twice", "let a = 1;\nlet a = 2;", "(line 2)"],
    [
      "an enum",
      "\nenum Color { Red }\nreturn Color.Red",
      "TypeScript enum is not supported in strip-only mode (line 2)",
    ],
  ])("%s", async (name, source, message) => {
    const isThrown = name.startsWith("thrown");
    expect(await errorOf(source)).toMatchObject({
      code: isThrown ? "UNKNOWN" : "VALIDATION_ERROR",
      reason: isThrown ? "code_threw" : "code_failed",
      message: expect.stringContaining(message),
    });
  });
});

test.each([
  ["an error", "const a = 1;\nnull.x", 2],
  ["an error with a code", 'await null;\n\nthrow Object.assign(new Error("no"), { code: "RATE_LIMITED" })', 3],
  ["a value without a stack", "throw 'no'", undefined],
])("the line of what the code threw is a number in the error: %s", async (_, source, line) => {
  expect((await errorOf(source)).toPayload().line).toBe(line);
});

describe("code chooses the class of its error", () => {
  test.each(STEP_ERROR_CODES)("%s, with the message as it was written", async (code) => {
    const source = `throw Object.assign(new Error("Ask again on Monday"), { code: "${code}", retryAfterMs: 1500 })`;
    const { message, reason, retryAfterMs, ...error } = await errorOf(source);
    expect({ code: error.code, message, reason, retryAfterMs }).toEqual({
      code,
      message: "Ask again on Monday",
      reason: code.toLowerCase(),
      retryAfterMs: 1_500,
    });
  });

  test("any object with a code is such an error, and a pause that is no time is left out", async () => {
    for (const pause of ["-1", "NaN", "Infinity", "'5'", "{}", "2n"]) {
      const error = await errorOf(`throw { code: "RATE_LIMITED", message: "later", retryAfterMs: ${pause} }`);
      expect(error.toPayload()).toEqual({ code: "RATE_LIMITED", reason: "rate_limited", message: "later" });
    }
  });

  test("a code that the contract does not know is UNKNOWN", async () => {
    for (const code of ["circuit_open", "worker_lost", "validation_error", "APPROVAL_REJECTED", ""]) {
      expect(await errorOf(`throw { code: "${code}", message: "no" }`)).toMatchObject({
        code: "UNKNOWN",
        reason: "code_threw",
      });
    }
  });

  test("a module that throws while it is loaded chooses it, too", async () => {
    const source = 'throw { code: "AUTH_EXPIRED", message: "no key" };\nexport default () => 1';
    expect(await errorOf(source)).toMatchObject({ code: "AUTH_EXPIRED", message: "no key" });
  });
});

describe("the console", () => {
  test("is returned with the value", async () => {
    const source = `
      console.log("a", 1, { b: [true, null] }, undefined);
      console.info(new Map([["k", 1]]), new Set([1, 2]));
      console.warn("careful");
      console.error(new TypeError("bad"));
      return 1`;
    expect(await runUserCode({ source, input: {}, ...limits })).toEqual({
      value: 1,
      console: ['a 1 {"b":[true,null]} undefined', '{"k":1} [1,2]', "[warn] careful", "[error] TypeError: bad"],
    });
  });

  test("is returned with an error and a timeout", async () => {
    expect((await errorOf("console.log('so far'); throw 1")).console).toEqual(["so far"]);
    // A limit on the clock could pass before the code gets its first turn on a busy machine.
    const late = await errorOf("console.log('so far'); for (;;);", 200);
    expect(late).toMatchObject({ code: "TIMEOUT", console: ["so far"] });
  });

  test("is bounded", async () => {
    const { console: many } = await runUserCode({
      source: "for (let i = 0; i < 1e4; i++) console.log(i)",
      input: {},
      ...limits,
    });
    expect(many).toHaveLength(201);
    expect(many.at(-1)).toBe("… what followed was not kept");
    const source = "for (let i = 0; i < 100; i++) console.log('y'.repeat(1e5)); return 1";
    const { console: large } = await runUserCode({ source, input: {}, ...limits });
    expect(large.join("").length).toBeLessThan(40_000);
  });
});

describe("the library", () => {
  test("works in the interpreter as it does elsewhere", async () => {
    const source = `
      const url = new URL("/a b?q=ü#f", "https://User@EXAMPLE.com:443/x/");
      url.searchParams.append("r", "1&2");
      const clone = structuredClone({ when: new Date(0), tags: new Set(["a"]) });
      return {
        url: url.href,
        params: new URLSearchParams({ a: "1 2" }).toString(),
        utf8: Array.from(new TextEncoder().encode("é€😀")),
        text: new TextDecoder().decode(new Uint8Array([226, 130, 172])),
        base64: [btoa("hi"), atob("aGk=")],
        clone: [clone.when.getTime(), [...clone.tags]],
        sha256: crypto.createHash("sha256").update("abc").digest("hex"),
        hmac: crypto.createHmac("sha256", "key").update("The quick brown fox jumps over the lazy dog").digest("hex"),
        offset: new Date(2024, 6, 1).getTimezoneOffset(),
        isNow: Math.abs(Date.now() - input.now) < 600_000,
      };`;
    expect(await resultOf(source, { now: Date.now() })).toEqual({
      url: "https://User@example.com/a%20b?q=%C3%BC&r=1%262#f",
      params: "a=1+2",
      utf8: [195, 169, 226, 130, 172, 240, 159, 152, 128],
      text: "€",
      base64: ["aGk=", "hi"],
      clone: [0, ["a"]],
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      hmac: "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
      offset: 0,
      isNow: true,
    });
  });
});

describe("calls are isolated from each other", () => {
  test("globals, prototypes and libraries are fresh in every call", async () => {
    const source = `
      const before = [globalThis.count ?? 0, Array.prototype.mark ?? 0, URL.mark ?? 0, crypto.mark ?? 0];
      globalThis.count = Array.prototype.mark = URL.mark = crypto.mark = 1;
      return before`;
    for (let call = 0; call < 6; call += 1) expect(await resultOf(source)).toEqual([0, 0, 0, 0]);
  });

  test("randomness differs from call to call", async () => {
    const source = "return [Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(8)).join()]";
    const drawn = await Promise.all(Array.from({ length: 10 }, () => resultOf(source)));
    expect(new Set((drawn as unknown[][]).flat()).size).toBe(30);
  });

  test("concurrent calls do not affect each other", async () => {
    const source = "await null; console.log(input.n); return input.n * 2";
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => runUserCode({ source, input: { n }, ...limits })),
    );
    answers.forEach((answer, n) => {
      expect(answer).toEqual({ value: n * 2, console: [String(n)] });
    });
  });
});
