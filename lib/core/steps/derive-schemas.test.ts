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

test("the output schema requires what every Return Output node requires", () => {
  const end = (id: string, ...properties: object[]) => completeNode(id, "return_output", { properties });
  const ok = { name: "ok", type: "boolean", required: true, value: true };
  const why = { name: "why", type: "string", required: true, value: "x" };
  const requiredBy = (...ends: ReturnType<typeof end>[]) => deriveOutputSchema(definition(ends, []))?.required;
  expect(requiredBy(end("a", ok, why))).toEqual(["ok", "why"]);
  expect(requiredBy(end("a", ok), end("b", ok, why))).toEqual(["ok"]);
  expect(requiredBy(end("a", ok), end("b", { ...ok, required: false }))).toBeUndefined();
});

test("placeholders make a workflow callable, and so does an empty draft", () => {
  expect(deriveType(input([]))).toBe("callable");
  expect(deriveType({ nodes: [], edges: [] })).toBe("callable");
});
