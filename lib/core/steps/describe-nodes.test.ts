import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { definitionSchema } from "#lib/core/steps/definition-schema";
import { describeNode, describeNodes, EXAMPLE_DEFINITION, summarizeNodes } from "#lib/core/steps/describe-nodes";
import { printSchema } from "#lib/core/steps/print-schema";
import { STEP_DATA } from "#lib/core/steps/step-data";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";

const ajv = new Ajv2020({ strict: false });
/** What a catalog cannot know: each workspace has its own connections. */
const UNKNOWABLE = ["connection_id", "model"];

it.each(STEP_TYPES)("the catalog's example of %s can be published, and fits its JSON Schema", (type) => {
  const { example, data_schema: schema, handles } = describeNode(type);
  const issues = STEP_DATA[type].safeParse(example.data).error?.issues ?? [];
  expect(issues.filter((issue) => !UNKNOWABLE.includes(String(issue.path[0])))).toEqual([]);
  const isFitting = ajv.compile(schema);
  isFitting(example.data);
  const errors = (isFitting.errors ?? []).filter(({ instancePath }) => !UNKNOWABLE.includes(instancePath.slice(1)));
  expect(errors).toEqual([]);
  expect(handles.every((handle) => typeof handle === "string")).toBe(true);
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});

it("the example workflow can be published unchanged", () => {
  expect(definitionSchema.parse(EXAMPLE_DEFINITION)).toEqual(EXAMPLE_DEFINITION);
  expect(validateGraph(EXAMPLE_DEFINITION)).toEqual([]);
});

it("the summary has one line per type with its handles and data, and omits what all types share", () => {
  const lines = summarizeNodes().split("\n");
  expect(lines.map((line) => line.split(" ")[1])).toEqual(describeNodes().map(({ type }) => type));
  expect(lines.find((line) => line.startsWith("- condition"))).toContain("Handles: true, false.");
  expect(lines.find((line) => line.startsWith("- switch"))).toContain("large, default");
  expect(lines.find((line) => line.startsWith("- transform"))).toContain(
    "{fields?: {name: string, value: any}[], jsonata?: string}",
  );
  expect(summarizeNodes()).not.toContain("maxRetries");
});

it.each([
  [{ type: "array", items: { enum: ["a", 1] } }, '("a" | 1)[]'],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string"],
  [{ type: "object", properties: { a: { type: "integer" }, b: {} }, required: ["a"] }, "{a: integer, b?: any}"],
  [{ allOf: [{ type: "object", properties: {} }, { const: 1 }] }, "1"],
  [true, "any"],
])("a schema is printed as a type: %j", (schema, text) => {
  expect(printSchema(schema)).toBe(text);
});
