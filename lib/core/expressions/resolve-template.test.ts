import { describe, expect, test } from "vitest";
import { StepError } from "#lib/contract/step-error";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateReferences } from "#lib/core/expressions/template-references";

const scope = {
  action_input: { email: "ann@example.com", count: 3, none: null, list: [1, { a: "x" }], yes: true, "order id": 7 },
  http: { status: 200, headers: { "content-type": "text/plain" } },
};
const resolve = (value: unknown) => resolveTemplate(value, scope);

test("a text that is a single expression keeps the value's type", () => {
  expect(resolve("{{action_input.count}}")).toBe(3);
  expect(resolve("{{action_input.yes}}")).toBe(true);
  expect(resolve("{{ action_input.list }}")).toBe(scope.action_input.list);
  expect(resolve("{{action_input}}")).toBe(scope.action_input);
  expect(resolve('{{action_input["order id"]}}')).toBe(7);
  expect(resolve("{{http.headers.content-type}}")).toBe("text/plain");
  expect(resolve("{{action_input.list[1].a}}")).toBe("x");
});

test("within a longer text, values become text: null is empty, and objects are JSON", () => {
  expect(resolve("{{action_input.count}} items for {{action_input.email}}")).toBe("3 items for ann@example.com");
  expect(resolve("<{{action_input.none}}{{action_input.gone}}>")).toBe("<>");
  expect(resolve("{{action_input.list}} {{action_input.yes}}")).toBe('[1,{"a":"x"}] true');
  expect(resolve(" {{action_input.count}}")).toBe(" 3");
});

test("an unknown path is null", () => {
  for (const text of ["{{gone}}", "{{gone.a.b}}", "{{http.x.y}}", "{{action_input.list[9]}}", "{{http.status.x}}"]) {
    expect(resolve(text)).toBeNull();
  }
});

test("objects and arrays are resolved at any depth, and keys are not templates", () => {
  expect(resolve({ a: ["{{http.status}}", { b: "s={{http.status}}" }], "{{http.status}}": 1 })).toEqual({
    a: [200, { b: "s=200" }],
    "{{http.status}}": 1,
  });
});

test("parts without expressions are returned by reference", () => {
  const plain = { a: [1, null, { b: "text" }], c: true };
  expect(resolve(plain)).toBe(plain);
  const mixed = { fixed: plain, open: "{{http.status}}" };
  const resolved = resolve(mixed) as typeof mixed;
  expect(resolved.fixed).toBe(plain);
  expect(mixed.open).toBe("{{http.status}}");
});

test("a backslash makes braces literal", () => {
  expect(resolve(String.raw`\{{http.status}}`)).toBe("{{http.status}}");
  expect(resolve(String.raw`\{{x}} is {{http.status}}`)).toBe("{{x}} is 200");
});

test("braces that do not start an expression stay as they are", () => {
  for (const text of ["{{", "{{ }}", "{{#if x}}", "{{http.status", "a {{ b } c"]) expect(resolve(text)).toBe(text);
});

describe("safety", () => {
  test("a resolved value is never scanned again", () => {
    const hostile = { a: "{{secret.key}}", b: "{{" };
    const full = { caller: hostile, secret: { key: "s3cret" } };
    expect(resolveTemplate("{{caller.a}}", full)).toBe("{{secret.key}}");
    expect(resolveTemplate("say {{caller.a}}!", full)).toBe("say {{secret.key}}!");
    expect(resolveTemplate("{{caller.b}}{{caller.b}}secret.key}}", full)).toBe("{{{{secret.key}}");
    expect(resolveTemplate({ x: "{{caller}}" }, full)).toEqual({ x: hostile });
  });

  test("inherited properties cannot be read", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(resolve(`{{${name}}}`)).toBeNull();
      expect(resolve(`{{http.${name}}}`)).toBeNull();
      expect(resolve(`{{http["${name}"].x}}`)).toBeNull();
      expect(resolve(`{{action_input.list.${name}}}`)).toBeNull();
      expect(resolve(`{{action_input.email.${name}}}`)).toBeNull();
    }
    expect(resolve("{{action_input.list.length}}")).toBeNull();
  });

  test("a key __proto__ in a template does not change a prototype", () => {
    const template = JSON.parse('{"__proto__":{"admin":"{{http.status}}"},"a":"{{http.status}}"}');
    const resolved = resolve(template) as object;
    expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype);
    expect(JSON.stringify(resolved)).toBe('{"__proto__":{"admin":200},"a":200}');
  });

  test("a large value cannot be repeated without limit", () => {
    const large = { x: "y".repeat(1_000_000) };
    const bomb = "{{large.x}}".repeat(100_000);
    for (const template of [bomb, Array.from({ length: 100 }, () => "{{large.x}}{{large}}")]) {
      expect(() => resolveTemplate(template, { large })).toThrow(StepError);
    }
    expect(resolveTemplate("{{large.x}}{{large.x}}", { large })).toHaveLength(2_000_000);
  });

  test("hostile nesting is a StepError and not a stack overflow", () => {
    let deep: unknown = "{{http.status}}";
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(() => resolve(deep)).toThrow(StepError);
    expect(() => resolveTemplate("text {{deep}}", { deep })).toThrow(StepError);
    expect(resolveTemplate("{{deep}}", { deep })).toBe(deep);
  });
});

test("references are listed in order with their paths", () => {
  expect(templateReferences({ a: "{{x.y}} and {{z[0]}}", b: [String.raw`\{{no}}`, "{{ w }}", 1, null] })).toEqual([
    { name: "x", path: ["y"] },
    { name: "z", path: [0] },
    { name: "w", path: [] },
  ]);
  expect(templateReferences("plain")).toEqual([]);
});
