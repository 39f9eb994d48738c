import { expect, test } from "vitest";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { compareDefinitions } from "#lib/core/graph/compare/compare-definitions";
import { outputChanges } from "#lib/core/graph/compare/output-changes";

const node = (id: string, data: Record<string, unknown> = {}, x = 0): GraphNode => ({
  id,
  type: "transform",
  position: { x, y: 0 },
  data,
});
const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, target });
const graph = (nodes: GraphNode[], edges: Definition["edges"] = []): Definition => ({ nodes, edges });

test("added, removed and changed steps are listed by name; their positions do not count", () => {
  const before = graph([node("a"), node("b", { name: "Bee" }), node("c", { jsonata: "1" })], [edge("a", "b")]);
  const after = graph([node("a", {}, 200), node("c", { jsonata: "2" }), node("d")], [edge("a", "d"), edge("a", "c")]);
  expect(compareDefinitions(before, after)).toEqual({
    added: [{ node_id: "d", type: "transform", name: "d" }],
    removed: [{ node_id: "b", type: "transform", name: "Bee" }],
    changed: [{ node_id: "c", type: "transform", name: "c", fields: [{ field: "jsonata", was: "1", now: "2" }] }],
    lines_added: 2,
    lines_removed: 1,
  });
  expect(compareDefinitions(before, before)).toMatchObject({ added: [], removed: [], changed: [] });
});

test("settings are compared inside objects and lists as a whole, and secrets are not shown", () => {
  const before = graph([node("a", { params: { url: "x", query: [1] }, secret: "sealed:1", gone: null })]);
  const after = graph([node("a", { params: { url: "y", query: [1, 2] }, secret: "sealed:2", maxRetries: 2 })]);
  expect(compareDefinitions(before, after).changed[0]?.fields).toEqual([
    { field: "params.url", was: "x", now: "y" },
    { field: "params.query", was: [1], now: [1, 2] },
    { field: "secret", was: "(secret)", now: "(secret)" },
    { field: "maxRetries", now: 2 },
  ]);
});

test("the output that callers get is compared field by field", () => {
  const schema = (properties: Record<string, "string" | "integer">) => ({
    type: "object" as const,
    properties: Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])),
  });
  expect(outputChanges(schema({ a: "string", b: "string" }), schema({ a: "integer", c: "string" }))).toEqual([
    { field: "a", kind: "type_changed", was: "string", now: "integer" },
    { field: "b", kind: "removed", was: "string", now: null },
    { field: "c", kind: "added", was: null, now: "string" },
  ]);
  expect(outputChanges(null, schema({ a: "string" }))).toMatchObject([{ kind: "added" }]);
});
