import { describe, expect, test } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import { evaluateJsonata } from "#lib/platform/sandbox/evaluate-jsonata";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const options = { workspaceId: "w", timeoutMs: 30_000, signal: new AbortController().signal };
const ORDER = {
  customer: "Ada",
  lines: [
    { sku: "a", price: 2.5, count: 4 },
    { sku: "b", price: 10, count: 1 },
  ],
};

describe("a JSONata expression", () => {
  test.each([
    ["customer", "Ada"],
    ["$sum(lines.(price * count))", 20],
    ["lines[price > 5].sku", "b"],
    ["lines.sku", ["a", "b"]],
    ["lines{sku: count}", { a: 4, b: 1 }],
    ["lines ~> $map(function($l) { $l.sku & '!' })", ["a!", "b!"]],
    ["nothing.of.this", null],
    ["($fib := function($n) { $n < 2 ? $n : $fib($n - 1) + $fib($n - 2) }; $fib(12))", 144],
    ["$base64decode($base64encode('Grüße')) != ''", true],
    ["$fromMillis(0, '[Y0001]-[M01]-[D01]')", "1970-01-01"],
    ["$formatNumber(1234.5, '#,##0.00')", "1,234.50"],
    ["$match(customer, /d./).match", "da"],
    ["$type($now()) & $type($millis())", "stringnumber"],
    ["$random() != $random()", true],
    ["$number('9007199254740991') - $number('0x10') + $number(true)", 9007199254740991 - 15],
    ["'1' ~> $number", 1],
    ["['1', '2.5e1', 'x' ~> $length ~> $string].$number()", [1, 25, 1]],
    ["$string(9007199254740991) & '!'", "9007199254740991!"],
    ["$number('1e21')", 1e21],
    ["$toMillis('2028-02-29')", Date.UTC(2028, 1, 29)],
    ["$toMillis('2026-11-23T10:00:00+02:00')", Date.UTC(2026, 10, 23, 8)],
    ["$toMillis('11/23/2026', '[M01]/[D01]/[Y0001]')", Date.UTC(2026, 10, 23)],
    ["$ ~> |lines|{'price': 0}, 'count'|", { customer: "Ada", lines: [0, 1].map((n) => ({ sku: "ab"[n], price: 0 })) }],
  ])("%s", async (expression, value) => {
    expect(await evaluateJsonata(expression, ORDER, options)).toEqual(value);
  });

  test.each([
    ["lines[", /S0203|S0207|Expected|end of expression.*character/],
    ["$nope()", /T1006.*character|non-function.*character/],
    ["'a' + 1", /T2001.*character|left side.*character/],
    ["$error('stop here')", /stop here/],
    ["$eval('(')", /./],
    ["$sum", /returns a function/],
    ["$number('9007199254740993') = 9007199254740992", /"9007199254740993" is a number beyond 2\^53.*Use it as a text/],
    ["['-8202522731445525542'].$number()", /"-8202522731445525542" is a number beyond 2\^53/],
    ["$number('9007199254740993.0')", /beyond 2\^53/],
    ["$number('9.007199254740993e15')", /beyond 2\^53/],
    ["$eval(\"$number('9007199254740993')\")", /beyond 2\^53/],
    ["$toMillis('2026-02-30')", /"2026-02-30" is no date/],
    ["$toMillis('2026-02-29T10:00:00Z')", /is no date/],
    ["$number('1e400')", /Unable to cast|D3030|number/],
    ["$sum(['1', '2'])", /./],
    ["'9007199254740993' > 9007199254740992", /./],
    ["function($x) { $x }", /returns a function/],
    ["{'sum': $sum}", /result\.sum is a function: call it/],
    ["[1, function($x) { $x }]", /result\[1\] is a function: call it/],
    ["8202522731445525542", /an integer beyond 2\^53/],
    ["{'id': $number('9007199254740991') + 2}", /result\.id is 9007199254740992, an integer beyond 2\^53/],
    ["1 / 0", /result is Infinity/],
  ])("%s is refused with its reason", async (expression, message) => {
    await expect(evaluateJsonata(expression, ORDER, options)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(message),
    });
  });

  test.each([
    ["($f := function($n) { $f($n + 1) }; $f(0))"],
    ["$map([1..9999999], function($i) { $i })"],
    [`$match('${"a".repeat(40)}b', /^(a+)+$/)`],
  ])("%s cannot block the worker", async (expression) => {
    await expect(evaluateJsonata(expression, ORDER, { ...options, timeoutMs: 200 })).rejects.toMatchObject({
      code: expect.stringMatching(/^(TIMEOUT|VALIDATION_ERROR)$/),
    });
    expect(await evaluateJsonata("1 + 1", ORDER, options)).toBe(2);
  });

  test.each([
    ["a range", "$count($map([1..9999999], function($i) { [$i, $i] }))"],
    ["a range of ranges", "[1..9999].[1..9999]"],
    ["a text that doubles", "$reduce([1..40], function($a, $b) { $a & $a }, 'x')"],
    ["recursion", "($f := function($n) { 1 + $f($n + 1) }; $f(0))"],
    ["mutual recursion", "($f := function($n) { $g($n) & 'x' }; $g := function($n) { $f($n) & 'x' }; $f(0))"],
    ["nested brackets", `${"(".repeat(9_000)}1${")".repeat(9_000)}`],
    ["nested lists", `${"[".repeat(9_000)}1${"]".repeat(9_000)}`],
    ["a nested regular expression", `$match('a', /${"(".repeat(6_000)}a${")".repeat(6_000)}/)`],
  ])("%s is bounded by the memory and the stack of code", async (_name, expression) => {
    await expect(evaluateJsonata(expression, ORDER, { ...options, memoryBytes: 24 * 1_048_576 })).rejects.toMatchObject(
      {
        code: "VALIDATION_ERROR",
      },
    );
    expect(await evaluateJsonata("1 + 1", ORDER, options)).toBe(2);
  });

  test.each([
    ["endless recursion", "($f := function($n) { $f($n + 1) }; $f(0))"],
    ["a regular expression", `$match('${"a".repeat(40)}b', /^(a+)+$/)`],
    ["a sort", "$sort([1..100000], function($l, $r) { $sum([1..1000]) > 0 })"],
  ])("%s is bounded by the CPU time of code", async (_name, expression) => {
    await expect(evaluateJsonata(expression, ORDER, { ...options, cpuMs: 200 })).rejects.toMatchObject({
      code: "TIMEOUT",
      message: "The code used more than 0.2 s of CPU time",
    });
  });

  test.each(["process", "$$.constructor.constructor", "fetch", "__proto__.polluted", "$.toString"])(
    "%s reaches nothing of the machine",
    async (expression) => {
      expect(
        await evaluateJsonata(expression, ORDER, options).catch((error: { code: string }) => error.code),
      ).toSatisfy((ending: unknown) => ending === null || ending === "VALIDATION_ERROR");
    },
  );

  test("the clock advances between evaluations", async () => {
    const before = Date.now();
    expect(Number(await evaluateJsonata("$millis()", {}, options))).toBeGreaterThanOrEqual(before);
  });

  test("evaluations are isolated from each other", async () => {
    for (let call = 0; call < 3; call += 1) {
      expect(await evaluateJsonata("($exists($x) ? 'left' : 'new')", {}, options)).toBe("new");
      await evaluateJsonata("$x := 1", {}, options);
    }
  });
});

/** Words and signs of the language, mixed with what an attacker would add. */
const PIECES =
  "customer lines price count . [ ] ( ) { } , ; : := ~> ? ^ % $ $$ $x $sum $map $eval $error $match $string $keys $each " +
  "function($v){ } ** * / + - & = != < > in and or 'a' \"b\" 1 0 -1 1e308 null true false /a/ /(a+)+$/ | @ # " +
  "constructor __proto__ prototype toString process globalThis `` _jsonata_lambda implementation apply 'constructor'";

test("any text at all returns JSON or a step error, and does not affect the next evaluation", async () => {
  const random = seededRandom(20_261_121);
  const pieces = PIECES.split(" ");
  for (let round = 0; round < 400; round += 1) {
    const expression = Array.from({ length: 1 + random.below(9) }, () => random.pick(pieces)).join(
      random.pick(["", " "]),
    );
    try {
      const value = await evaluateJsonata(expression, ORDER, { ...options, timeoutMs: 1_000 });
      expect(JSON.parse(JSON.stringify(value)), expression).toEqual(value);
    } catch (error) {
      expect(error, expression).toBeInstanceOf(StepError);
    }
  }
  expect(await evaluateJsonata("customer & $string($count(lines))", ORDER, options)).toBe("Ada2");
});
