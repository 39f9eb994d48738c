import { expect, it } from "vitest";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { scanTemplate } from "#lib/core/expressions/scan-template";
import { canWriteKey, writeExpression } from "#lib/core/expressions/write-expression";

it.each([
  { path: ["body", "items", 0, "id"], text: "{{call.body.items[0].id}}" },
  { path: ["content-type"], text: "{{call.content-type}}" },
  { path: ["имя"], text: "{{call.имя}}" },
  { path: ["a b", 'say "hi" \\'], text: '{{call["a b"]["say \\"hi\\" \\\\"]}}' },
  { path: ["two\nlines", "tab\t"], text: '{{call["two\nlines"]["tab\t"]}}' },
])("writes $text, and the template reads the same path back", ({ path, text }) => {
  const expression = writeExpression("call", path);
  expect(expression).toBe(text);
  expect(scanTemplate(expression)).toMatchObject({ errors: [], parts: [{ root: { name: "call", path } }] });
});

it.each(["", "}}", "{{", "'", '"', "\\", "\ud800", "\u2028", "a.b", "0", "x".repeat(200), '"'.repeat(200)])(
  "an expression reads the key %j",
  (key) => {
    expect(canWriteKey(key)).toBe(true);
    expect(resolveTemplate(writeExpression("call", [key]), { call: { [key]: 7 } })).toBe(7);
  },
);

it.each(["__proto__", " ".repeat(201)])("no expression reads the key %j", (key) => {
  expect(canWriteKey(key)).toBe(false);
  expect(resolveTemplate(writeExpression("call", [key]), { call: JSON.parse(`{${JSON.stringify(key)}: 7}`) })).not.toBe(
    7,
  );
});
