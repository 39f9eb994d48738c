import { describe, expect, test } from "vitest";
import { resolveParams } from "#lib/core/expressions/places/resolve-params";
import { templateBudget } from "#lib/core/expressions/template-budget";

const write = (place: "cell" | "range" | "token" | "name") => (values: unknown, scope: Record<string, unknown>) =>
  resolveParams({ values }, { values: { place } }, scope, templateBudget(), "params").values;

describe("a cell", () => {
  const cellOf = write("cell");

  test.each([
    ['=IMPORTXML("https://evil.example","//a")', true],
    [" =1+1", true],
    ["\t=1+1", true],
    ["＝1+1", true],
    ["+A1", true],
    ["-HYPERLINK(1)", true],
    ["- item", true],
    ["+7 (999) 123-45-67", true],
    ["'=1", true],
    ["'tis", true],
    ["+79991234567", false],
    ["-5", false],
    ["-1,234.50", false],
    ["+3.5%", false],
    ["-", false],
    ["--", false],
    ["@ada", false],
    ["a=b", false],
    ["2026-01-31", false],
    ["https://h/?a=b", false],
    ["", false],
  ])("%j is never a formula", (v, isMarked) => {
    const written = isMarked ? `'${v}` : v;
    expect(cellOf("{{v}}", { v })).toBe(written);
    expect(cellOf({ Name: "{{v}}", Other: ["{{v}}"] }, { v })).toEqual({ Name: written, Other: [written] });
    expect(cellOf("{{gone}}{{v}}", { v })).toBe(written);
    expect(cellOf("Note: {{v}}", { v })).toBe(`Note: ${v}`);
    // A row that an earlier step made.
    expect(cellOf("{{row}}", { row: { a: v, b: [v, 7, null, true] } })).toEqual({
      a: written,
      b: [written, 7, null, true],
    });
  });

  test("never rounds a long number: it is written as a text", () => {
    for (const v of ["8202522731445525542", "-9007199254740993", " 12345678901234567890 "]) {
      expect(cellOf(["{{v}}", "Id {{v}}"], { v })).toEqual([`'${v}`, `Id ${v}`]);
    }
    for (const v of ["9007199254740991", "0.12345678901234567890", "1234567890123456 ab"]) {
      expect(cellOf("{{v}}", { v })).toBe(v);
    }
    expect(() => cellOf("={{v}}+1", { v: "9007199254740993" })).toThrow("values: {{v}} must be a number or a cell");
  });

  test("keeps numbers and booleans as they are", () => {
    expect(cellOf(["{{a}}", "{{b}}", "{{c}}"], { a: -5, b: true, c: null })).toEqual([-5, true, null]);
  });

  test("a formula of the author stays one, with values that are texts, numbers or cells", () => {
    expect(cellOf("=SUM(A1:A{{n}})", { n: 7 })).toBe("=SUM(A1:A7)");
    expect(cellOf("={{a}}*{{b}}", { a: -1.5, b: "B2" })).toBe("=-1.5*B2");
    expect(cellOf('=HYPERLINK("https://h/{{v}}", "{{v}}")', { v: 'x", IMPORTXML("' })).toBe(
      '=HYPERLINK("https://h/x"", IMPORTXML(""", "x"", IMPORTXML(""")',
    );
    expect(cellOf("='Ada''s {{v}}'!A1", { v: "x'!B1+'" })).toBe("='Ada''s x''!B1+'''!A1");
    expect(() => cellOf("=A1+{{v}}", { v: "IMPORTXML(1)" })).toThrow("values: {{v}} must be a number or a cell");
    expect(cellOf('="a ""b"" {{v}}"', { v: 'c"' })).toBe('="a ""b"" c"""');
    expect(cellOf("{{raw(v)}}", { v: "=A1" })).toBe("=A1");
    expect(cellOf('{{v ?? "=A1"}}', {})).toBe("=A1");
  });
});

describe("a range", () => {
  const rangeOf = write("range");

  test.each([
    ["Orders!A{{v}}:F{{v}}", 7, "Orders!A7:F7"],
    ["Orders!{{v}}2", "AB", "Orders!AB2"],
    ["Orders!{{v}}", "A1:F20", "Orders!A1:F20"],
    ["{{v}}!A1", "Orders", "Orders!A1"],
    ["{{v}}!A1", "My orders", "My orders!A1"],
    ["{{v}}!A1", "Ada's list", "'Ada''s list'!A1"],
    ["{{v}}!A1", "Secret!B1:B9", "'Secret!B1:B9'!A1"],
    ["'{{v}}'!A1", "Ada's", "'Ada''s'!A1"],
    ["'a!b'!A{{v}}", 1, "'a!b'!A1"],
    ["{{v}}", "Orders!A1:F20", "Orders!A1:F20"],
    ["Report {{v}}", "2026", "Report 2026"],
  ])("%s with %j", (template, v, written) => expect(rangeOf(template, { v })).toBe(written));

  test.each([
    ["Orders!A{{v}}:F9", "1:Z999"],
    ["Orders!A1:{{v}}", "F9,Secret!A1"],
    ["Orders!{{v}}", "A1:B2,Secret!A1"],
    ["A{{v}}", "1:Z"],
    ["Report {{v}}", "x!A1"],
  ])("%s refuses %j", (template, v) =>
    expect(() => rangeOf(template, { v })).toThrow("values: {{v}} must be a row, a column, or cells"),
  );
});

test("a wildcard of a search comes from the author only", () => {
  const tokenOf = write("token");
  expect(tokenOf("*@{{v}}", { v: "example.com" })).toBe("*@example.com");
  expect(() => tokenOf("*@{{v}}", { v: "*" })).toThrow("values: {{v}} contains *, which finds any text here");
  expect(() => tokenOf("{{v}}", { v: "a*" })).toThrow("contains *");
  expect(tokenOf("{{raw(v)}}", { v: "a*" })).toBe("a*");
  expect(tokenOf("{{v}}", { v: 7 })).toBe(7);
});

test("a name is one name", () => {
  const nameOf = write("name");
  expect(nameOf(["{{v}}", "a,b"], { v: "email" })).toEqual(["email", "a,b"]);
  expect(() => nameOf(["{{v}}"], { v: "email,phone" })).toThrow("values.0: {{v}} contains a comma");
  expect(nameOf("{{v}}", { v: ["a", "b"] })).toEqual(["a", "b"]);
});
