import { expect, it } from "vitest";
import { scanTemplate } from "#lib/support/scan-template";
import { toExpression } from "@/components/features/json/json-path";

it.each([
  { path: ["body", "items", 0, "id"], text: "{{call.body.items[0].id}}" },
  { path: ["content-type"], text: "{{call.content-type}}" },
  { path: ["имя"], text: "{{call.имя}}" },
  { path: ["a b", 'say "hi" \\'], text: '{{call["a b"]["say \\"hi\\" \\\\"]}}' },
])("writes $text, and the template reads the same path back", ({ path, text }) => {
  const expression = toExpression("call", path);
  expect(expression).toBe(text);
  expect(scanTemplate(expression)).toMatchObject({ errors: [], parts: [{ name: "call", path }] });
});
