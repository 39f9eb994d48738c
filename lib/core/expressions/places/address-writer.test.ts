import { describe, expect, test } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import { resolveParams } from "#lib/core/expressions/places/resolve-params";
import { templateBudget } from "#lib/core/expressions/template-budget";

const toOf = (to: unknown, scope: Record<string, unknown>) =>
  resolveParams({ to }, { to: { place: "addresses" } }, scope, templateBudget(), "params").to;

const ONE = [
  "ada@example.com",
  "Ada <ada@example.com>",
  "Ada Lovelace <ada@example.com>",
  '"Lovelace, Ada" <ada@example.com>',
  "<ada@example.com>",
  '"a, b"@example.com',
  "ada+x=y@sub.example.com",
  "ада@пример.рф",
  "ada@[127.0.0.1]",
  "ada@example.com (Ada)",
  "ada@localhost",
];
const NOT_ONE = [
  "ada@example.com, eve@example.org",
  "ada@example.com;eve@example.org",
  "ada@example.com eve@example.org",
  "ada@example.com>, <eve@example.org",
  "ada@example.com\r\nBcc: eve@example.org",
  "ada@example.com\u0000",
  "Ada <ada@example.com>, Eve <eve@example.org>",
  "eve@example.org, Ada <ada@example.com>",
  "Team: ada@example.com, eve@example.org;",
  "<eve@example.org> <ada@example.com>",
  "ada@example.com@example.org",
  "ada@",
  "@example.com",
  "ada",
  "ada@exa mple.com",
  "mailto:ada@example.com",
];

describe("a value is one address", () => {
  test.each(ONE)("%j", (v) => {
    expect(toOf("{{v}}", { v })).toBe(v);
    expect(toOf("boss@example.com, {{v}}", { v })).toBe(`boss@example.com, ${v}`);
    expect(toOf("{{v}}; boss@example.com", { v })).toBe(`${v}; boss@example.com`);
    expect(toOf(["{{v}}", "boss@example.com"], { v })).toEqual([v, "boss@example.com"]);
    expect(toOf("{{gone}}{{v}}", { v })).toBe(v);
  });

  test.each(NOT_ONE)("%j is refused with the field and the expression", (v) => {
    for (const template of ["{{v}}", "boss@example.com, {{v}}", "{{v}}, boss@example.com", "{{gone}}{{v}}"]) {
      expect(() => toOf(template, { v })).toThrow("to: {{v}} must be one email address. Use a list for several.");
    }
    expect(() => toOf("<{{v}}>", { v: `${v},x` })).toThrow(StepError);
    expect(() => toOf(["{{v}}"], { v })).toThrow("to.0: {{v}} must be one email address");
  });

  test("a name with a comma and one address is quoted", () => {
    expect(toOf("{{v}}", { v: "Lovelace, Ada <ada@example.com>" })).toBe('"Lovelace, Ada" <ada@example.com>');
    expect(toOf("{{v}}", { v: " ada@example.com\n" })).toBe("ada@example.com");
  });

  test("a missing value is no address", () => {
    expect(toOf("{{v}}", {})).toBeNull();
    expect(toOf("{{v}}", { v: "" })).toBe("");
    expect(toOf("{{v}}, boss@example.com", {})).toBe(", boss@example.com");
  });
});

describe("several addresses come from the author or from a list", () => {
  test("a list", () => {
    const v = ["ada@example.com", "Bob <bob@example.com>"];
    expect(toOf("{{v}}", { v })).toEqual(v);
    expect(toOf("boss@example.com, {{v}}", { v })).toBe("boss@example.com, ada@example.com, Bob <bob@example.com>");
    expect(() => toOf("{{v}}", { v: ["ada@example.com, eve@example.org"] })).toThrow(
      "has an item that is not one email",
    );
    expect(() => toOf("x@example.com, {{v}}", { v: ["a", 7] })).toThrow("has an item that is not one email address");
  });

  test("the senders of an email, which have a name and an address", () => {
    const v = [
      { name: 'Ada "A", L', address: "ada@example.com" },
      { name: null, address: "bob@example.com" },
    ];
    expect(toOf("{{v}}", { v })).toEqual(['"Ada \\"A\\", L" <ada@example.com>', "bob@example.com"]);
    expect(toOf("{{v}}", { v: v[1] })).toBe("bob@example.com");
    expect(() => toOf("{{v}}", { v: [{ name: "x", address: "a@b, c@d" }] })).toThrow("not one email address");
  });

  test("a separator that the author writes in an expression", () => {
    expect(toOf('{{join(v, ", ")}}', { v: ["a@example.com", "b@example.com"] })).toBe("a@example.com, b@example.com");
    expect(toOf("{{join(v)}}", { v: ["a@example.com", "b@example.com"] })).toBe("a@example.com, b@example.com");
    expect(toOf('{{replace(v, ";", ",")}}', { v: "a@example.com;b@example.com" })).toBe("a@example.com,b@example.com");
    expect(toOf('{{split(v, ",")}}', { v: "a@example.com,b@example.com" })).toEqual(["a@example.com", "b@example.com"]);
    expect(toOf('{{v ?? "a@example.com, b@example.com"}}', {})).toBe("a@example.com, b@example.com");
    expect(toOf("{{raw(v)}}", { v: "a@example.com, b@example.com" })).toBe("a@example.com, b@example.com");
    expect(() => toOf('{{join(v, ", ")}}', { v: ["a@example.com, c@example.com"] })).toThrow(
      "must be one email address",
    );
  });
});

describe("a value in an address is a name or a part", () => {
  test.each([
    ["{{n}} <ada@example.com>", "Ada", "Ada <ada@example.com>"],
    ["{{n}} <ada@example.com>", "Lovelace, Ada", '"Lovelace, Ada" <ada@example.com>'],
    ["{{n}} <ada@example.com>", "x> , <eve@example.org", '"x> , <eve@example.org" <ada@example.com>'],
    ["{{n}} <ada@example.com>", 'A "B" C\\', '"A \\"B\\" C\\\\" <ada@example.com>'],
    ["{{n}} <ada@example.com>", "a\r\nBcc: eve@example.org", '"a Bcc: eve@example.org" <ada@example.com>'],
    ['"{{n}}" <ada@example.com>', 'x" <eve@example.org>, "', '"x\\" <eve@example.org>, \\"" <ada@example.com>'],
    ['"{{n}}" <ada@example.com>', "O'Brien", '"O\'Brien" <ada@example.com>'],
    ["{{n}} {{n}} <ada@example.com>", "A, B", '"A, B" "A, B" <ada@example.com>'],
    ["Ada <{{n}}>", "ada@example.com", "Ada <ada@example.com>"],
    ["{{n}}@example.com", "ada", "ada@example.com"],
    ["ada@{{n}}", "example.com", "ada@example.com"],
    ["ada@example.com ({{n}})", "x) eve@example.org (", "ada@example.com (x  eve@example.org  )"],
  ])("%s with %j", (template, n, written) => expect(toOf(template, { n })).toBe(written));

  test.each([
    ["Ada <{{n}}>", "ada@example.com>, <eve@example.org"],
    ["Ada <{{n}}>", "ada@example.com, eve@example.org"],
    ["{{n}}@example.com", "eve@example.org,ada"],
    ["{{n}}@example.com", "eve@example.org"],
    ["ada@{{n}}", "example.com,eve@example.org"],
    ["ada@{{n}}", "example.com\nBcc:x"],
    ["x {{n}}", "eve@example.org, b"],
  ])("%s refuses %j", (template, n) =>
    expect(() => toOf(template, { n })).toThrow("must be a part of one email address"),
  );
});

test("what the author writes stays as it is", () => {
  const own = 'Ada <ada@example.com> ; "x, y" <b@example.com>,  c@example.com,';
  expect(toOf(`${own} {{v}}`, { v: "" })).toBe(`${own} `);
  expect(toOf(own, {})).toBe(own);
});

test("a long value is refused in linear time", () => {
  expect(() => toOf("{{v}}", { v: `${" a".repeat(200_000)}<` })).toThrow("must be one email address");
  expect(() => toOf("{{v}}", { v: `"${"\\".repeat(200_000)}` })).toThrow("must be one email address");
});
