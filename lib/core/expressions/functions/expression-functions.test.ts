import { describe, expect, test } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import { EXAMPLE_DATA } from "#lib/core/expressions/functions/example-data.fixture";
import { EXPRESSION_FUNCTIONS } from "#lib/core/expressions/functions/expression-functions";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { scanTemplate } from "#lib/core/expressions/scan-template";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const evaluate = (expression: string, scope: Record<string, unknown> = EXAMPLE_DATA) =>
  resolveTemplate(`{{${expression}}}`, scope);
/** The kinds of values that JSON has. */
const VALUES = { text: "x", number: 7, list: [1], object: { a: 1 } };

test.each(EXPRESSION_FUNCTIONS.map(({ example }) => [example.expression, example.value]))(
  "the documented example %s is %j",
  (expression, value) => {
    expect(scanTemplate(`{{${expression}}}`).errors).toEqual([]);
    expect(evaluate(String(expression))).toEqual(value);
  },
);

test("a fallback is used for null and missing values, not for empty or false ones", () => {
  expect(evaluate('order.gone ?? order.note ?? "none"')).toBe("none");
  expect(evaluate('a.b ?? "x"', { a: { b: "" } })).toBe("");
  expect(evaluate("a.b ?? true", { a: { b: false } })).toBe(false);
  expect(evaluate("a.b ?? 1", { a: { b: 0 } })).toBe(0);
  expect(evaluate("gone ?? null")).toBeNull();
});

test("a single expression keeps the type of its result, and mixed text concatenates", () => {
  expect(evaluate("length(order.tags)")).toBe(2);
  expect(evaluate("order.gone ?? order.lines")).toBe(EXAMPLE_DATA.order.lines);
  expect(resolveTemplate("{{length(order.tags)}} of {{upper(first(order.tags))}}: {{order.tags}}", EXAMPLE_DATA)).toBe(
    '2 of NEW: ["new","paid"]',
  );
});

test("null in an argument makes the result null, except for default and json", () => {
  for (const { name, parameters } of EXPRESSION_FUNCTIONS) {
    const args = parameters.map(({ accepts }): unknown => VALUES[accepts?.[0] ?? "text"]);
    for (const [at, { takesNull }] of parameters.entries()) {
      const names = parameters.map((_, index) => `a[${index}]`).join(", ");
      const value = evaluate(`${name}(${names})`, { a: args.with(at, null) });
      if (takesNull === true) expect(["default", "json"]).toContain(name);
      else expect(value, name).toBeNull();
    }
  }
});

test("every function accepts the kinds that it declares for each argument, and refuses others with their name", () => {
  for (const { name, parameters, example } of EXPRESSION_FUNCTIONS) {
    const root = scanTemplate(`{{${example.expression}}}`).parts[0];
    if (root === undefined || typeof root === "string" || root.root.kind !== "call") throw new Error(name);
    for (const [at, { accepts, name: parameter }] of parameters.entries()) {
      if (accepts === null || at >= root.root.args.length) continue;
      for (const kind of ["list", "object"] as const) {
        if (accepts.includes(kind)) continue;
        const path = `wrong.${kind}`;
        const args = example.expression.slice(name.length + 1, example.expression.lastIndexOf(")"));
        const given = splitArguments(args).with(at, path).join(", ");
        expect(() => evaluate(`${name}(${given})`, { ...EXAMPLE_DATA, wrong: VALUES }), `${name} ${at}`).toThrow(
          `"${parameter}" must be`,
        );
      }
    }
  }
});

/** Splits the arguments of an example; none of them contains a comma outside of quotes, except as text. */
function splitArguments(text: string): string[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|[^,\s]+/g)].map(([arg]) => arg);
}

describe("text", () => {
  test("numbers and booleans count as text", () => {
    expect(evaluate("upper(true)")).toBe("TRUE");
    expect(evaluate('replace(12.5, ".", ",")')).toBe("12,5");
  });

  test("characters are counted and cut as people see them, emoji included", () => {
    expect(evaluate('length("a😀")')).toBe(2);
    expect(evaluate('slice("😀b", 0, 1)')).toBe("😀");
    expect(evaluate('slice("abc", -2)')).toBe("bc");
    expect(evaluate('split("a😀", "")')).toEqual(["a", "😀"]);
  });

  test("replace and split take plain text, never a pattern", () => {
    expect(evaluate('replace("a.b$1", ".", "$&")')).toBe("a$&b$1");
    expect(evaluate('split("a|b|", "|")')).toEqual(["a", "b", ""]);
    expect(evaluate('replace("abc", "", "x")')).toBe("abc");
  });

  test("replacing and splitting long texts finds what the engine finds", () => {
    const random = seededRandom(3);
    const letters = (length: number) => Array.from({ length }, () => random.pick(["a", "a", "b"])).join("");
    for (let round = 0; round < 50; round += 1) {
      const scope = {
        t: letters(500),
        s: random.pick([letters(2), "a".repeat(40), `${"a".repeat(35)}b`, "ab"]),
        r: "-",
      };
      expect(evaluate("replace(t, s, r)", scope)).toBe(scope.t.split(scope.s).join(scope.r));
      expect(evaluate("split(t, s)", scope)).toEqual(scope.t.split(scope.s));
    }
  });
});

describe("lists", () => {
  test("an empty list has no first and last item, so a fallback applies", () => {
    expect(evaluate('first(a).x ?? "none"', { a: [] })).toBe("none");
    expect(evaluate("last(a)", { a: [] })).toBeNull();
  });

  test("join writes every item as a template would, null as an empty text", () => {
    expect(evaluate('join(a, "|")', { a: ["x", 1, null, true, { b: 1 }] })).toBe('x|1||true|{"b":1}');
    expect(evaluate("join(a)", { a: [1, 2] })).toBe("1, 2");
  });

  test("contains compares as the operator of conditions does", () => {
    expect(evaluate("contains(a, 5)", { a: ["5.0"] })).toBe(true);
    expect(evaluate("contains(a, b)", { a: [{ x: 1, y: 2 }], b: { y: 2, x: 1 } })).toBe(true);
    expect(evaluate('contains("abc", "b")')).toBe(true);
    expect(evaluate('contains(order, "toString")')).toBe(false);
  });
});

describe("numbers", () => {
  test("rounding works on the number as it is written, and a half rounds away from zero", () => {
    const round = (number: number, decimals: number) => evaluate("round(a, b)", { a: number, b: decimals });
    expect([round(1.005, 2), round(-2.5, 0), round(2.5, 0), round(0.5, 0), round(-0.2, 0)]).toEqual([
      1.01, -3, 3, 1, 0,
    ]);
    expect([round(1e300, 15), round(1e-7, 7), round(1e-9, 2), round(123456789.123, 15)]).toEqual([
      1e300, 1e-7, 0, 123456789.123,
    ]);
  });

  test("numbers are written without an exponent and the same in every locale", () => {
    const format = (number: number) => evaluate("format_number(a)", { a: number });
    expect([format(1234567.891), format(-1000), format(1e21), format(1e-7), format(0)]).toEqual([
      "1,234,567.891",
      "-1,000",
      "1,000,000,000,000,000,000,000",
      "0.0000001",
      "0",
    ]);
    expect(evaluate("format_number(0.005, 2)")).toBe("0.01");
    expect(evaluate('format_number(-0.001, 2, "", ".")')).toBe("0.00");
  });

  test("a text that spells a number counts with all of its digits", () => {
    const format = (text: unknown, ...rest: unknown[]) =>
      evaluate(`format_number(a[0]${rest.map((_, at) => `, a[${at + 1}]`).join("")})`, { a: [text, ...rest] });
    expect(evaluate("round(a, 2)", { a: "2.3449999999999999999" })).toBe(2.34);
    expect(evaluate("round(a, 2)", { a: "2.345" })).toBe(2.35);
    expect(evaluate("round(a)", { a: "9007199254740990.5" })).toBe(9007199254740991);
    expect(evaluate("round(a, 15)", { a: 0.1 + 0.2 })).toBe(0.3);
    expect(format("0.100000000000000000000000000001")).toBe("0.100000000000000000000000000001");
    expect(format("1234.5600000000000000001", 2)).toBe("1,234.56");
    expect([String(format(5e-324)).length, format("1E-7"), format(1e-25)]).toEqual([
      326,
      "0.0000001",
      "0.0000000000000000000000001",
    ]);
    expect([format("-0"), format("-0.4", 0), format(Number.MAX_SAFE_INTEGER)]).toEqual([
      "0",
      "0",
      "9,007,199,254,740,991",
    ]);
    for (const text of ["8202522731445525542", "-9007199254740993", "9007199254740993.5", "1e400"]) {
      expect(() => format(text)).toThrow(/which a number cannot hold exactly/);
      expect(() => evaluate("round(a)", { a: text })).toThrow(/which a number cannot hold exactly/);
    }
    for (const text of ["0x10", "0b1", "1_000", "1,5", "Infinity", "5%", "٣"]) {
      expect(() => format(text)).toThrow('"number" must be a number, but is');
    }
  });

  test("a text that spells a number counts as one, and another text fails with its content", () => {
    expect(evaluate('round("2.5")')).toBe(3);
    expect(() => evaluate("round(a)", { a: "1e400" })).toThrow(
      'round(number, decimals?): "number" must be a number, but is "1e400", which a number cannot hold exactly.',
    );
    expect(() => evaluate("round(1, a)", { a: 1.5 })).toThrow(
      '"decimals" must be a whole number from 0 to 15, but is 1.5.',
    );
  });
});

describe("dates", () => {
  const format = (date: unknown, pattern: string, zone = "UTC") =>
    evaluate("format_date(d, p, z)", { d: date, p: pattern, z: zone });

  test("moments are written in the zone, with its offset of that day", () => {
    expect(format("2026-07-01T22:30:15.123Z", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "Europe/Berlin")).toBe(
      "2026-07-02T00:30:15.123+02:00",
    );
    expect(format("2026-01-01T00:30:00+02:00", "EEEE, MMMM d yy, h:mm a", "America/New_York")).toBe(
      "Wednesday, December 31 25, 5:30 PM",
    );
    expect(format(0, "yyyy-MM-dd HH:mm XXX", "Asia/Kathmandu")).toBe("1970-01-01 05:30 +05:30");
  });

  test("the two passes of an hour that the clock repeats differ by their offset", () => {
    const berlin = (date: string) => format(date, "HH:mm XXX", "Europe/Berlin");
    expect([berlin("2026-10-25T00:30:00Z"), berlin("2026-10-25T01:30:00Z")]).toEqual(["02:30 +02:00", "02:30 +01:00"]);
    expect([berlin("2027-03-28T00:59:00Z"), berlin("2027-03-28T01:00:00Z")]).toEqual(["01:59 +01:00", "03:00 +02:00"]);
  });

  test("a day or a local time without an offset is the same in every zone", () => {
    expect(format("2026-11-23", "d.M.yyyy", "America/New_York")).toBe("23.11.2026");
    expect(format("2026-11-23 08:05", "HH:mm XXX", "America/New_York")).toBe("08:05 -05:00");
  });

  test("quoted text is written as it is, and two quotes are one", () => {
    expect(format("2026-11-23", "'day' d 'o''clock' ''yy''")).toBe("day 23 o'clock '26'");
  });

  test.each([
    ...["2026-02-30", "2026-13-01", "23.11.2026", "01/02/2026", "2026-11-23T24:00Z", "2026-11-23T09:00+25:00"],
    ...["0000-01-01", "0050-01-01", "2016-12-31T23:59:60Z", "1700000000", "", "x".repeat(5_000), 1e20, 1e15, [1]],
  ])("%j is not a date", (date) => expect(() => format(date, "yyyy")).toThrow(StepError));

  test("a number that can be seconds is refused, and names the function that converts seconds", () => {
    for (const date of [1_700_000_000, 1_700_000_000.5, -1, 1, 99_999_999_999]) {
      expect(() => format(date, "yyyy")).toThrow(
        `"date" must be milliseconds since 1970 (from_seconds converts seconds), but is ${date}.`,
      );
    }
    expect(format(1_700_000_000_000, "yyyy-MM-dd")).toBe("2023-11-14");
    expect(format(100_000_000_000, "yyyy-MM-dd")).toBe("1973-03-03");
  });

  test("from_seconds converts seconds, also with a fraction, and refuses milliseconds", () => {
    const convert = (seconds: unknown) => evaluate("from_seconds(s)", { s: seconds });
    expect(convert(1_700_000_000)).toBe("2023-11-14T22:13:20.000Z");
    expect(convert("1700000000.123456")).toBe("2023-11-14T22:13:20.123Z");
    expect([convert(0), convert(-0.001)]).toEqual(["1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z"]);
    expect(evaluate('format_date(from_seconds(s), "HH:mm", "Asia/Tokyo")', { s: 1_700_000_000 })).toBe("07:13");
    for (const seconds of [1_700_000_000_000, -1e11, 1e300, "8202522731445525542"]) {
      expect(() => convert(seconds)).toThrow(StepError);
    }
    expect(() => convert(1_700_000_000_000)).toThrow('"seconds" must be seconds since 1970, not milliseconds');
  });

  test("a wrong pattern or zone is an error that names what is allowed", () => {
    expect(() => format("2026-11-23", "DD/MM")).toThrow('"pattern" must not contain "DD" (the fields are yyyy, ');
    expect(() => format("2026-11-23", "'open")).toThrow(`"pattern" must close every single quote, but is "'open".`);
    expect(() => format("2026-11-23", "yyyy", "Mars/Phobos")).toThrow("must be an IANA time zone");
  });
});

describe("hostile input", () => {
  const MEGABYTE = 1 << 20;
  const hostile = {
    text: "a".repeat(MEGABYTE),
    part: `${"a".repeat(MEGABYTE / 4)}b${"a".repeat(MEGABYTE / 4)}`,
    list: Array.from({ length: 100_000 }, () => "a"),
    deep: nested(100_000),
  };

  function nested(levels: number): unknown {
    let value: unknown = "x";
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  }

  test("a search for half a text in a text is linear", () => {
    expect(evaluate("contains(text, part)", hostile)).toBe(false);
    expect(evaluate('length(replace(text, part, "x"))', hostile)).toBe(MEGABYTE);
  });

  test.each([
    'replace(text, "a", text)',
    'split(text, "a")',
    'split(text, "")',
    "join(list, text)",
    `${"upper(".repeat(10)}text${")".repeat(10)} ?? ${"upper(".repeat(10)}text${")".repeat(10)}`,
    "json(deep)",
  ])("%s fails within the budget of the step, instead of taking memory or time", (expression) => {
    expect(() => evaluate(expression, hostile)).toThrow(StepError);
  });

  test.each([
    ["a long text", 'contains(text, "b")'],
    ["a number with many spaces", "round(padded)"],
    ["a large value to find in a short list", "contains(few, wide)"],
  ])("many calls that each read %s share the budget of the step", (_, expression) => {
    const values = { ...hostile, padded: `7${" ".repeat(MEGABYTE)}`, few: [], wide: { text: hostile.text } };
    expect(() => evaluate(expression, values)).not.toThrow();
    const template = Array.from({ length: 20 }, () => `{{${expression}}}`);
    expect(() => resolveTemplate(template, values)).toThrow("exceed 10 MiB");
  });

  test("replacing millions of letters fails before it takes the memory of millions of parts", () => {
    expect(() => evaluate('replace(text, "a", "")', { text: "a".repeat(2 * MEGABYTE) })).toThrow("exceed 10 MiB");
    expect(evaluate('replace(text, "a", "")', { text: "a".repeat(900_000) })).toBe("");
  });

  test("any values in any arguments give a value or a StepError", () => {
    const random = seededRandom(11);
    const leaf = () => random.pick(["", "2026-11-23", "7", "\ud800", 0, -1, 1e308, 0.1, null, true, "constructor"]);
    for (let round = 0; round < 20_000; round += 1) {
      const { name } = random.pick(EXPRESSION_FUNCTIONS);
      const args = Array.from({ length: random.below(5) }, (_, at) => `a[${at}]`);
      try {
        evaluate(`${name}(${args.join(", ")})`, { a: args.map(() => random.json(leaf, 2)) });
      } catch (error) {
        if (!(error instanceof StepError)) throw error;
      }
    }
  });
});
