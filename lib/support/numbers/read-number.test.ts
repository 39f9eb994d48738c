import { expect, test } from "vitest";
import { z } from "zod";
import { numeric } from "#lib/support/numbers/numeric";
import { readNumber } from "#lib/support/numbers/read-number";

test.each([
  ["0", 0],
  ["-0", -0],
  ["5", 5],
  ["-12.50", -12.5],
  ["1e3", 1_000],
  ["1E-7", 1e-7],
  ["2.5e+2", 250],
  [" 5\n", 5],
  ["9007199254740991", Number.MAX_SAFE_INTEGER],
  ["0.1", 0.1],
  ["0.30000000000000004", 0.1 + 0.2],
  ["5e-324", 5e-324],
  ["1e20", 1e20],
])("a text that is a number of JSON means that number: %j", (text, number) => {
  expect(readNumber(text)).toBe(number);
});

test.each([
  ...["", " ", "\u00a05", "\ufeff5", "5 6", "5s", "null", "true", "NaN", "Infinity", "-Infinity"],
  ...["0x10", "0b1", "0o7", "1_000", "1,000", "1,5", "+5", "--5", "- 5", ".5", "5.", "1e", "e3", "1e3.5", "007", "-01"],
  ...[
    "5n",
    "٣",
    "５",
    "1/2",
    "5%",
    "$5",
    "[5]",
    '"5"',
    "9007199254740992",
    "-9007199254740993",
    "1e400",
    "1".repeat(401),
  ],
])("no other text means a number, and no number loses digits: %j", (text) => {
  expect(readNumber(text)).toBeNull();
});

test("a numeric setting takes numbers and texts of numbers, and nothing that only turns into one", () => {
  const schema = z.object({ limit: numeric(z.number().int().min(0)).nullish() });
  for (const limit of [7, "7", " 7 ", "7.0", "70e-1"]) expect(schema.parse({ limit })).toEqual({ limit: 7 });
  for (const limit of [null, undefined]) expect(schema.parse({ limit })).toEqual({ limit });
  for (const limit of [
    "",
    " ",
    "0x7",
    "7,0",
    "Infinity",
    "1e400",
    "7.5",
    "-1",
    true,
    [],
    [7],
    {},
    new Date(7),
    "9007199254740993",
  ]) {
    expect(
      schema.safeParse({ limit }).error?.issues.map(({ path }) => path),
      String(limit),
    ).toEqual([["limit"]]);
  }
});

test("a numeric setting is described as the number that it is", () => {
  const schema = z.object({
    limit: numeric(z.number().int().min(1)).meta({ title: "Limit" }),
    page: numeric(z.number()).optional(),
  });
  expect(z.toJSONSchema(schema, { io: "input" })).toMatchObject({
    properties: { limit: { type: "integer", minimum: 1, title: "Limit" }, page: { type: "number" } },
    required: ["limit"],
  });
});
