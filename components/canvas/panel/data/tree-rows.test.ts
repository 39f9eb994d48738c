import { expect, test } from "vitest";
import { analyse } from "@/components/canvas/document/analysis";
import { testEdge, testNode } from "@/components/canvas/document/test-definition";
import type { DataContext } from "@/components/canvas/panel/data/data-node";
import { listDataSteps } from "@/components/canvas/panel/data/list-data-steps";
import { listTreeRows, searchTree } from "@/components/canvas/panel/data/tree-rows";

const NONE = new Map<string, boolean>();

function contextOf(value: unknown, steps = 1): DataContext {
  const nodes = [
    testNode("start", "action_input", 0, 0, { properties: [] }),
    ...Array.from({ length: steps }, (_, at) =>
      testNode(`call_${at}`, "connector", 0, 100 * at, { name: `Call ${at}` }),
    ),
    testNode("end", "return_output", 0, 900, {}),
  ];
  const analysis = analyse({ nodes, edges: nodes.slice(1).map((node, at) => testEdge(nodes[at]?.id ?? "", node.id)) });
  const pins = Object.fromEntries(nodes.map(({ id }) => [id, { value, fromRunId: null }]));
  return { analysis, steps: listDataSteps(analysis, "end", { pins, results: {}, samples: {} }) };
}

const labels = (rows: ReturnType<typeof listTreeRows>) =>
  rows.map(({ node, level }) => `${"  ".repeat(level - 1)}${node.label}`);

test("the nearest steps are open, and what is inside their fields is closed", () => {
  const rows = listTreeRows(contextOf({ id: 1, customer: { name: "Ann" } }, 8), NONE, null);
  expect(rows.filter(({ level, isOpen }) => level === 1 && isOpen).map(({ node }) => node.label)).toEqual(
    [7, 6, 5, 4, 3, 2].map((at) => `call_${at}`),
  );
  expect(labels(rows).slice(0, 4)).toEqual(["call_7", "  id", "  customer", "call_6"]);
});

test("a value that is the only one in its step is open", () => {
  const rows = listTreeRows(contextOf({ output: { body: { id: 1 } } }), NONE, null);
  expect(labels(rows).slice(0, 3)).toEqual(["call_0", "  output", "    body"]);
});

test("a search keeps what contains a hit, and a hit can be opened to everything in it", () => {
  const context = contextOf({ id: 1, customer: { name: "Ann", address: { city: "Oslo", street: "Main" } } });
  const [step] = context.steps;
  const only = { ...context, steps: step === undefined ? [] : [step] };
  const found = searchTree(only, " ADDRESS ");
  const rows = listTreeRows(only, NONE, found);
  expect(labels(rows)).toEqual(["call_0", "  customer", "    address"]);
  const address = rows.at(-1)?.node.key ?? "";
  expect(labels(listTreeRows(only, new Map([[address, true]]), found))).toEqual([
    ...["call_0", "  customer", "    address"],
    ...["      city", "      street"],
  ]);
});

test("a search finds values and the names of steps", () => {
  const context = contextOf({ customer: { name: "Ann" } }, 2);
  expect(labels(listTreeRows(context, NONE, searchTree(context, "ann"))).slice(0, 3)).toEqual([
    ...["call_1", "  customer", "    name"],
  ]);
  expect(labels(listTreeRows(context, NONE, searchTree(context, "Call 0")))).toEqual(["call_0"]);
  expect(listTreeRows(context, NONE, searchTree(context, "nowhere"))).toEqual([]);
});

test("each row knows its place among its siblings and the row that contains it", () => {
  const rows = listTreeRows(contextOf({ id: 1, customer: { name: "Ann" } }), NONE, null);
  expect(rows[2]).toMatchObject({ level: 2, position: 2, setSize: 2, parent: 0, isOpen: false });
});

test("a search over megabytes of data stops and says so", () => {
  const context = contextOf({ rows: Array.from({ length: 30_000 }, (_, id) => ({ id })) });
  expect(searchTree(context, "nowhere").isComplete).toBe(false);
  expect(searchTree(contextOf({ id: 1 }), "nowhere").isComplete).toBe(true);
});
