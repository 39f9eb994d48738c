import { expect, test } from "vitest";
import { parseTemplate } from "#lib/core/expressions/parse-template";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";

test("a text is scanned once while it is in use", () => {
  const text = "Hello {{a.b}}";
  expect(parseTemplate(text)).toBe(parseTemplate(text));
});

test("the cache has a limit, and texts that were evicted still resolve", () => {
  const first = parseTemplate("{{a.first}}");
  for (let index = 0; index < 5_000; index += 1) {
    expect(resolveTemplate(`{{a.x}} ${index}`, { a: { x: 1 } })).toBe(`1 ${index}`);
  }
  expect(parseTemplate("{{a.first}}")).not.toBe(first);
  expect(parseTemplate("{{a.first}}")).toEqual(first);
});
