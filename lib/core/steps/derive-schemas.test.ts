import { expect, test } from "vitest";
import { deriveType } from "#lib/core/graph/derive-type";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { deriveInputSchema, deriveOutputSchema } from "#lib/core/steps/derive-schemas";

const input = (properties: object[]) => definition([completeNode("in", "action_input", { properties })], []);

test("the input schema contains only the keys that were given", () => {
  const properties = [
    { name: "email", type: "string", required: true },
    { name: "tags", type: "array", required: false, description: "Labels", default: [], items: { type: "string" } },
    { name: "size", type: "string", required: true, description: "", enum: ["s", "m"] },
  ];
  expect(deriveInputSchema(input(properties))).toEqual({
    type: "object",
    properties: {
      email: { type: "string" },
      tags: { type: "array", description: "Labels", default: [], items: { type: "string" } },
      size: { type: "string", enum: ["s", "m"] },
    },
    required: ["email", "size"],
  });
});

test("without properties, the input schema is an object that requires nothing", () => {
  const empty = { type: "object", properties: {}, required: [] };
  expect(deriveInputSchema(input([]))).toEqual(empty);
  expect(deriveInputSchema({ nodes: [], edges: [] })).toEqual(empty);
  expect(deriveInputSchema(input([{ name: "__proto__", type: "string", required: true }]))).toEqual(empty);
});

test("the output schema is null when no output properties are defined", () => {
  expect(deriveOutputSchema(definition([completeNode("out", "return_output")], []))).toBeNull();
  expect(deriveOutputSchema({ nodes: [], edges: [] })).toBeNull();
});

test("several Return Output nodes produce one schema with all their properties", () => {
  const nodes = [
    completeNode("a", "return_output", { properties: [{ name: "ok", type: "boolean", value: true }] }),
    completeNode("b", "return_output", {
      properties: [
        { name: "ok", type: "boolean", value: false },
        { name: "why", type: "string", value: "{{x}}", description: "Reason" },
      ],
    }),
  ];
  expect(deriveOutputSchema(definition(nodes, []))).toEqual({
    type: "object",
    properties: { ok: { type: "boolean" }, why: { type: "string", description: "Reason" } },
  });
});

test("placeholders make a workflow callable, and so does an empty draft", () => {
  expect(deriveType(input([]))).toBe("callable");
  expect(deriveType({ nodes: [], edges: [] })).toBe("callable");
});
