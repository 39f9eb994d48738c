import { describe, expect, test } from "vitest";
import { resolveParams, type TextPlaces } from "#lib/core/expressions/places/resolve-params";
import { templateBudget } from "#lib/core/expressions/template-budget";

const MESSAGE: TextPlaces = {
  text: { place: { by: "mode", is: { HTML: "html", RAW: null }, otherwise: "markdown_v2" } },
  media: { items: { fields: { caption: { place: { by: "mode", is: { HTML: "html" }, otherwise: null } } } } },
  buttons: { fields: { rows: { items: { items: { fields: { url: { place: "url" } } } } } } },
};
const resolve = (params: Record<string, unknown>, scope: Record<string, unknown>) =>
  resolveParams(params, MESSAGE, scope, templateBudget(), "params");

describe("another field says what a text is", () => {
  test.each([
    ["HTML", "<b>&lt;.</b>"],
    ["RAW", "<b><.</b>"],
    ["{{mode}}", "<b>&lt;.</b>"],
    [null, "<b><\\.</b>"],
    [undefined, "<b><\\.</b>"],
    [7, "<b><\\.</b>"],
    ["constructor", "<b><\\.</b>"],
  ])("%j", (mode, text) => {
    const given = { text: "<b>{{v}}</b>", ...(mode === undefined ? {} : { mode }) };
    expect(resolve(given, { v: "<.", mode: "HTML" }).text).toBe(text);
  });

  test("of the same item of a list", () => {
    const media = [{ caption: "{{v}}.", mode: "HTML" }, { mode: "HTML", caption: "x" }, { caption: "{{v}}" }, "{{v}}"];
    expect(resolve({ media }, { v: "<" }).media).toEqual([
      { caption: "&lt;.", mode: "HTML" },
      { mode: "HTML", caption: "x" },
      { caption: "<" },
      "<",
    ]);
  });
});

test("a place in nested lists and objects is found, and the keys keep their order", () => {
  const buttons = { z: 1, rows: [[{ text: "{{v}}", url: "https://h/{{v}}" }]], a: "{{v}}" };
  const resolved = resolve({ b: "{{v}}", buttons, a: 1 }, { v: "x/y" });
  expect(JSON.stringify(resolved)).toBe(
    '{"b":"x/y","buttons":{"z":1,"rows":[[{"text":"x/y","url":"https://h/x%2Fy"}]],"a":"x/y"},"a":1}',
  );
});

test("an error names the field, and a warning its place in the step", () => {
  const buttons = { rows: [[{ url: "https://h/x" }, { url: "https://h/{{gone.a}}/x" }]] };
  expect(() => resolve({ buttons }, {})).toThrow("buttons.rows.0.1.url: {{gone.a}} has no value");
  const budget = templateBudget();
  const media = [{ caption: "{{step.a}}", mode: "HTML" }];
  resolveParams({ media, other: ["{{step.b}}"] }, MESSAGE, { step: {} }, budget, "params");
  expect(budget.unresolved.map(({ field }) => field).sort()).toEqual(["params.media.0.caption", "params.other.0"]);
});

test("params without expressions are returned as they are", () => {
  const params = { text: "<b>", media: [{ caption: "x", mode: "HTML" }] };
  expect(resolve(params, {})).toBe(params);
});

test("a field of values that is nested too deeply is refused like any template", () => {
  let deep: unknown = "{{v}}";
  for (let level = 0; level < 40; level += 1) deep = [deep];
  expect(() => resolveParams({ x: deep }, { x: { place: "cell" } }, {}, templateBudget(), "params")).toThrow(
    "nested deeper than",
  );
});

test("braces that the author escapes are text in every language", () => {
  expect(resolve({ text: "\\{{v}} {{v}}", mode: "HTML" }, { v: "<" }).text).toBe("{{v}} &lt;");
  expect(resolve({ text: "\\{{v}}", mode: "HTML" }, { v: "<" }).text).toBe("{{v}}");
});
