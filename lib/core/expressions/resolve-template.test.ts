import { describe, expect, test } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { templateBudget } from "#lib/core/expressions/template-budget";
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
  const template = { a: "{{x.y}} and {{z[0] ?? upper(v)}}", b: [String.raw`\{{no}}`, "{{ w }}", 1, null] };
  expect(templateReferences(template).map(({ name, path, hasFallback }) => ({ name, path, hasFallback }))).toEqual([
    { name: "x", path: ["y"], hasFallback: false },
    { name: "z", path: [0], hasFallback: true },
    { name: "v", path: [], hasFallback: false },
    { name: "w", path: [], hasFallback: false },
  ]);
  expect(templateReferences("plain")).toEqual([]);
});

describe("a path that leads nowhere", () => {
  const stops = (template: unknown, field?: string) => {
    const budget = templateBudget();
    resolveTemplate(template, scope, budget, field);
    return budget.unresolved;
  };

  test("is noted with its field, where it stopped, and the names that were there", () => {
    expect(stops({ total: ["x", "Sum: {{http.headers.lenght}}"] }, "params")).toEqual([
      {
        field: "params.total.1",
        path: "http.headers.lenght",
        resolvedUntil: "http.headers",
        has: "{content-type}",
      },
    ]);
    expect(stops("{{htp.status}}", "prompt")).toEqual([
      { field: "prompt", path: "htp.status", resolvedUntil: "", has: "{action_input, http}" },
    ]);
  });

  test("is noted with the kind of the value where it stopped, never the value", () => {
    const has = (template: string) => stops(template)[0]?.has;
    expect(has("{{action_input.email.domain}}")).toBe("a text");
    expect(has("{{action_input.count.x}}")).toBe("a number");
    expect(has("{{action_input.list[2]}}")).toBe("a list of 2");
    expect(has("{{action_input.none.x}}")).toBe("null");
  });

  test("is not noted if the expression has a fallback for it", () => {
    expect(stops('{{gone ?? "x"}}{{default(gone.a, 1)}}{{upper(gone) ?? "x"}}{{gone ?? http.status}}')).toEqual([]);
    expect(stops("{{http.x ?? gone.y}}{{upper(http.z)}}")).toMatchObject([{ path: "gone.y" }, { path: "http.z" }]);
  });

  test("is not noted if it exists and is null", () => {
    expect(stops("{{action_input.none}}")).toEqual([]);
  });

  test("is noted once for each field, and ten times at most", () => {
    expect(stops({ a: "{{gone}}{{gone}}", b: "{{gone}}" })).toMatchObject([{ field: "a" }, { field: "b" }]);
    expect(stops(Array.from({ length: 1_000 }, () => "{{gone}}"))).toHaveLength(10);
  });

  test("reads the names of a large object once, however many paths stop there", () => {
    let reads = 0;
    const ownKeys = (target: object) => {
      reads += 1;
      return Reflect.ownKeys(target);
    };
    const wide = new Proxy({ a: 1 }, { ownKeys });
    for (let item = 0; item < 3; item += 1) {
      const budget = templateBudget();
      const templates = Array.from({ length: 50 }, (_, index) => `{{from.wide.b${index}}}{{from.wide.b}}`);
      resolveTemplate(templates, { from: { wide } }, budget);
      expect(budget.unresolved[0]).toMatchObject({ resolvedUntil: "from.wide", has: "{a}" });
    }
    expect(reads).toBe(1);
  });

  test("has texts of bounded length, whatever the names are", () => {
    const long = "n".repeat(1_000);
    const segment = long.slice(0, 150);
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`${long}${index}`, 1]));
    const budget = templateBudget();
    resolveTemplate({ [long]: `{{wide["${segment}"]["${segment}"]}}` }, { wide }, budget);
    const [note] = budget.unresolved;
    expect(Object.values(note ?? {}).map((text) => text.length)).toEqual([200, 200, 4, 200]);
  });
});
