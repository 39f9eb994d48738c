import { describe, expect, test } from "vitest";
import type { NodeType } from "#lib/contract/workflow/graph";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_DATA } from "#lib/core/steps/step-data";

function problems(type: NodeType, data: unknown): string[] {
  const result = STEP_DATA[type].safeParse(data);
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join("."));
}

function input(property: object): string[] {
  return problems("action_input", { properties: [{ name: "x", type: "string", required: true, ...property }] });
}

describe("input properties", () => {
  test("every key is kept as given", () => {
    const property = {
      name: "x",
      type: "array",
      required: true,
      description: "d",
      default: ["a"],
      items: { type: "string" },
    };
    expect(STEP_DATA.action_input.parse({ properties: [property] }).properties).toEqual([property]);
  });

  test("names are unique, have at most 50 characters, and can be any text but __proto__", () => {
    const named = (...names: string[]) => ({
      properties: names.map((name) => ({ name, type: "string", required: false })),
    });
    expect(problems("action_input", named("a", "b", "order id", "имя", "constructor"))).toEqual([]);
    expect(problems("action_input", named("a", "b", "a"))).toEqual(["properties.2.name"]);
    expect(problems("action_input", named("", " a", "a\n", "__proto__", "x".repeat(65)))).toHaveLength(5);
    expect(problems("action_input", named(...Array.from({ length: 51 }, (_, index) => `p${index}`)))).toEqual([
      "properties",
    ]);
  });

  test("a default fits the type of its property", () => {
    expect(input({ type: "integer", default: 1 })).toEqual([]);
    expect(input({ type: "integer", default: 1.5 })).toEqual(["properties.0.default"]);
    expect(input({ type: "number", default: "1" })).toEqual(["properties.0.default"]);
    expect(input({ type: "object", default: [] })).toEqual(["properties.0.default"]);
    expect(input({ type: "array", default: ["a", 1], items: { type: "string" } })).toEqual(["properties.0.default"]);
    expect(input({ type: "boolean", default: false })).toEqual([]);
  });

  test("enum contains distinct values of the type, and the default is one of them", () => {
    expect(input({ enum: ["a", "b"], default: "b" })).toEqual([]);
    expect(input({ enum: ["a", 1] })).toEqual(["properties.0.enum.1"]);
    expect(input({ enum: ["a", "a"] })).toEqual(["properties.0.enum"]);
    expect(input({ enum: [] })).toEqual(["properties.0.enum"]);
    expect(input({ enum: ["a"], default: "b" })).toEqual(["properties.0.default"]);
  });

  test("items is only allowed for arrays", () => {
    expect(input({ type: "array", items: { type: "number" } })).toEqual([]);
    expect(input({ items: { type: "number" } })).toEqual(["properties.0.items"]);
  });
});

test("a request without an address and a comparison without a left side name the missing field", () => {
  expect(problems("connector", { connector: "http", operation: "request", params: { url: " " } })).toEqual([
    "params.url",
  ]);
  expect(problems("connector", { connector: "http", operation: "request" })).toEqual(["params.url"]);
  expect(problems("condition", { rules: [{ left: "", operator: "exists" }] })).toEqual(["rules.0.left"]);
});

test("the settings of retries and failures have defaults and limits", () => {
  const connector = { connector: "http", operation: "request", params: { url: "https://example.com" } };
  expect(STEP_DATA.connector.parse(connector)).toEqual({
    ...connector,
    disabled: false,
    maxRetries: 0,
    retryBackoff: "exponential",
    retryWaitSeconds: 1,
    continueOnFailure: false,
  });
  expect(problems("connector", { ...connector, maxRetries: 5, continueOnFailure: true, connection_id: null })).toEqual(
    [],
  );
  for (const maxRetries of [-1, 6, 1.5, "1"])
    expect(problems("connector", { ...connector, maxRetries })).toEqual(["maxRetries"]);
  for (const retryWaitSeconds of [0, 61, 1.5, "1"])
    expect(problems("connector", { ...connector, retryWaitSeconds })).toEqual(["retryWaitSeconds"]);
  expect(problems("connector", { ...connector, retryBackoff: "linear" })).toEqual(["retryBackoff"]);
  expect(problems("connector", {})).toEqual(["connector", "operation"]);
});

test("a rule needs a right side unless its operator only uses the left", () => {
  const rules = (...list: object[]) => problems("condition", { rules: list });
  expect(rules({ left: "a", operator: "equals", right: "" }, { left: "a", operator: "is_empty" })).toEqual([]);
  expect(rules({ left: "a", operator: "equals" })).toEqual(["rules.0.right"]);
  expect(rules({ operator: "exists" })).toEqual(["rules.0.left"]);
  expect(rules({ left: 1, operator: "like", right: 1 })).toEqual(["rules.0.operator"]);
  expect(rules()).toEqual(["rules"]);
});

test("fields and output properties have unique names and a value", () => {
  expect(
    problems("transform", {
      fields: [
        { name: "a", value: null },
        { name: "b", value: { c: "{{x}}" } },
      ],
    }),
  ).toEqual([]);
  expect(problems("transform", { fields: [{ name: "a", value: 1 }, { name: "b" }] })).toEqual(["fields.1.value"]);
  const twice = [1, 2].map((value) => ({ name: "a", value }));
  expect(problems("transform", { fields: twice })).toEqual(["fields.1.name"]);
  expect(problems("return_output", { properties: [{ name: "a", type: "string" }] })).toEqual(["properties.0.value"]);
});

test("a node is named by its label, or by its id if it has none", () => {
  expect(nodeLabel({ id: "a", data: { name: "Get contact" } })).toBe("Get contact");
  for (const name of [undefined, "", "  ", 1]) expect(nodeLabel({ id: "a", data: { name } })).toBe("a");
});

test("a transform has fields or an expression, not both", () => {
  expect(problems("transform", { fields: [] })).toEqual([]);
  expect(problems("transform", { jsonata: "a.b" })).toEqual([]);
  expect(problems("transform", {})).toEqual(["fields"]);
  expect(problems("transform", { jsonata: "" })).toEqual(["jsonata"]);
  expect(problems("transform", { fields: [], jsonata: "a" })).toEqual(["jsonata"]);
});

test("a delay is at most thirty days", () => {
  const most = 30 * 24 * 3_600;
  for (const seconds of [0, 0.5, most, String(most), "{{a.b}}"]) expect(problems("delay", { seconds })).toEqual([]);
  for (const seconds of [-1, most + 1, String(most + 1), "", " ", "soon", null, undefined]) {
    expect(problems("delay", { seconds })).toEqual(["seconds"]);
  }
});

test("code and sub-workflows name what they run", () => {
  expect(problems("code", { source: "" })).toEqual(["source"]);
  expect(problems("code", { source: "return 1", input: { a: "{{b}}" } })).toEqual([]);
  expect(problems("sub_workflow", { action_slug: "refund-order" })).toEqual([]);
  expect(problems("sub_workflow", { action_slug: "Refund order" })).toEqual(["action_slug"]);
});
