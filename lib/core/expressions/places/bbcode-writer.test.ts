import { expect, test } from "vitest";
import { resolveParams } from "#lib/core/expressions/places/resolve-params";
import { templateBudget } from "#lib/core/expressions/template-budget";

const textOf = (comment: string, scope: Record<string, unknown>) =>
  resolveParams({ comment }, { comment: { place: "bbcode" } }, scope, templateBudget(), "params").comment;

test.each([
  ["[URL=https://evil.example]x[/URL]", "[\u2060URL=https://evil.example]x[\u2060/URL]"],
  ["[user=1]Ada[/user]", "[\u2060user=1]Ada[\u2060/user]"],
  ["[B]x[/B] [*] [img]y[/img]", "[\u2060B]x[\u2060/B] [\u2060*] [\u2060img]y[\u2060/img]"],
  ["[send=/x]y[/send]", "[\u2060send=/x]y[\u2060/send]"],
  ["[URGENT] a[0] [x] <b> & co", "[URGENT] a[0] [x] <b> & co"],
])("%j opens no tag, and other brackets stay as they are", (v, written) => {
  expect(textOf("[B]Note[/B] {{v}}", { v })).toBe(`[B]Note[/B] ${written}`);
  expect(textOf("{{v}} x", { v })).toBe(`${written} x`);
});

test("a bracket of the author and a value are no tag together", () => {
  expect(textOf("[{{v}}] Order", { v: "URL=https://evil.example" })).toBe("[\u2060URL=https://evil.example] Order");
  expect(textOf("[/{{v}}]", { v: "b" })).toBe("[/\u2060b]");
  expect(textOf("[{{v}}] Order", { v: "new" })).toBe("[new] Order");
  expect(textOf("{{v}}b] x", { v: "a [" })).toBe("a [\u2060b] x");
});

test("a value in a tag of the author does not end it", () => {
  expect(textOf("[URL={{v}}]x[/URL]", { v: "https://h/]y[/URL][B]" })).toBe(
    "[URL=https://h/%5Dy%5B/URL%5D%5BB%5D]x[/URL]",
  );
});

test.each(["{{raw(v)}} x", "{{v}}"])("%j writes BB code as it is", (text) => {
  expect(textOf(text, { v: "[B]x[/B]" })).toBe(text.replace(/\{\{.*\}\}/, "[B]x[/B]"));
});
