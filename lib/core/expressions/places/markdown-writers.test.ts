import { describe, expect, test } from "vitest";
import { resolveParams } from "#lib/core/expressions/places/resolve-params";
import { templateBudget } from "#lib/core/expressions/template-budget";

const write = (place: "markdown" | "markdown_v2") => (text: string, scope: Record<string, unknown>) =>
  resolveParams({ text }, { text: { place } }, scope, templateBudget(), "params").text;

describe("MarkdownV2", () => {
  const textOf = write("markdown_v2");
  const SPECIAL = "_*[]()~`>#+-=|{}.!\\";

  test("a value is text: every character with a meaning is escaped", () => {
    const escaped = [...SPECIAL].map((character) => `\\${character}`).join("");
    expect(textOf("*Hi* {{v}}", { v: SPECIAL })).toBe(`*Hi* ${escaped}`);
    expect(textOf("{{v}} a", { v: SPECIAL })).toBe(`${escaped} a`);
    expect(textOf("*{{v}}*", { v: "1.5*2" })).toBe("*1\\.5\\*2*");
    expect(textOf("{{v}} a", { v: "[x](https://evil.example)" })).toBe("\\[x\\]\\(https://evil\\.example\\) a");
    expect(textOf("Hi {{v}}", { v: "Ада 你好 🎉, ok?" })).toBe("Hi Ада 你好 🎉, ok?");
  });

  test("in code, only the backtick and the backslash are", () => {
    expect(textOf("`{{v}}` {{v}}", { v: "a.`b\\" })).toBe("`a.\\`b\\\\` a\\.\\`b\\\\");
    expect(textOf("```ts\n{{v}}\n``` {{v}}", { v: "a.```b" })).toBe("```ts\na.\\`\\`\\`b\n``` a\\.\\`\\`\\`b");
    expect(textOf("`a` ``b`` {{v}}", { v: "." })).toBe("`a` ``b`` \\.");
  });

  test("in the URL of a link, a value is encoded, and ends neither the URL nor the link", () => {
    expect(textOf("[x](https://h/{{v}})", { v: "a)b/c\\" })).toBe("[x](https://h/a\\)b%2Fc%5C)");
    expect(textOf("[x]({{v}})", { v: "https://h/a_(b)\\" })).toBe("[x](https://h/a_(b\\)\\\\)");
    expect(textOf("[{{v}}](tg://user?id={{v}}) {{v}}", { v: "1.)" })).toBe("[1\\.\\)](tg://user?id=1.\\)) 1\\.\\)");
    expect(() => textOf("[x]({{v}})", { v: "javascript:x" })).toThrow("text: {{v}} is a script");
  });

  test("a backslash of the author escapes one character, never the escape of a value", () => {
    expect(textOf("\\\\{{v}}", { v: "*b*" })).toBe("\\*b\\*");
    expect(textOf("\\\\{{v}}", { v: "ab*" })).toBe("\\ab\\*");
    expect(textOf("\\\\{{v}}", { v: "\\*" })).toBe("\\\\\\*");
    expect(textOf("\\\\\\\\{{v}}", { v: "*" })).toBe("\\\\\\*");
  });

  test("what the author escapes by hand, marks with a function, or writes in an expression stays as it is", () => {
    expect(textOf('{{replace(replace(v, ".", "\\\\."), "-", "\\\\-")}} a', { v: "1.5-2*" })).toBe("1\\.5\\-2\\* a");
    expect(textOf("{{escape_markdown_v2(v)}} a", { v: "1.5" })).toBe("1\\.5 a");
    expect(textOf("{{raw(v)}} a", { v: "*b*" })).toBe("*b* a");
    expect(textOf("{{v}}", { v: "*b*" })).toBe("*b*");
    expect(textOf('{{v ?? "_none_"}} a', {})).toBe("_none_ a");
    expect(textOf("_a_ \\. ||b|| {{v}}", { v: "" })).toBe("_a_ \\. ||b|| ");
  });
});

describe("Markdown", () => {
  const textOf = write("markdown");

  test.each([
    ["*bold* _it_ `code` [x](y)", "\\*bold\\* \\_it\\_ \\`code\\` \\[x\\](y)"],
    ["~~no~~ ++under++", "\\~\\~no\\~\\~ \\+\\+under\\+\\+"],
    ["+7 999 a~b", "+7 999 a~b"],
    ["# head\n > quote # no", "\\# head\n \\> quote # no"],
    ["1.5 - 2! (x) | #tag", "1.5 - 2! (x) | #tag"],
    ["<b>a</b> 1 < 2", "\\<b>a\\</b> 1 < 2"],
    ["a\\b", "a\\\\b"],
    ["A+", "A\\+"],
  ])("%j is text", (v, written) => {
    expect(textOf("{{v}} a", { v })).toBe(`${written} a`);
    expect(textOf("{{escape_markdown(v)}}", { v })).toBe(written);
  });

  test("a mark of the author and a value are no mark together", () => {
    expect(textOf("+{{v}}", { v: "+x" })).toBe("+\\+x");
    expect(textOf("{{v}}+ a", { v: "x+" })).toBe("x\\++ a");
    expect(textOf("a {{v}}", { v: "# x" })).toBe("a # x");
    expect(textOf("a\n{{v}}", { v: "# x" })).toBe("a\n\\# x");
    expect(textOf("[{{v}}](https://h)", { v: "a](https://evil.example)" })).toBe(
      "[a\\](https://evil.example)](https://h)",
    );
  });

  test("no value ends code or the URL of a link", () => {
    expect(textOf("`{{v}}`", { v: "a`*b*" })).toBe("`a'*b*`");
    expect(textOf("[x](https://h/{{v}})", { v: "a)b (c)" })).toBe("[x](https://h/a%29b%20%28c%29)");
    expect(textOf("[x]({{v}})", { v: "https://h/(a) b" })).toBe("[x](https://h/%28a%29%20b)");
    expect(textOf("[{{n}}](max://user/{{v}})", { n: "Ada", v: 7 })).toBe("[Ada](max://user/7)");
  });
});
