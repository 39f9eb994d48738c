import { expect, test } from "vitest";
import type { Definition } from "#lib/contract/workflow/graph";
import { resolveTemplate } from "#lib/core/expressions/resolve-template";
import { type SeededRandom, seededRandom } from "#lib/support/seeded-random.fixture";
import { analyse } from "@/components/canvas/document/analysis";
import { branchingDefinition, testEdge, testNode } from "@/components/canvas/document/test-definition";
import {
  childNodes,
  type DataContext,
  type DataNode,
  findNode,
  rootNode,
} from "@/components/canvas/panel/data/data-node";
import { listDataSteps, markOfPath } from "@/components/canvas/panel/data/list-data-steps";
import type { Known } from "@/components/canvas/samples/known-values";

const ITEM = { items: "{{call.body.orders}}", concurrency: 1 };
const DEFINITION: Definition = {
  nodes: [
    testNode("start", "action_input", 0, 0, { properties: [{ name: "amount", type: "number", required: true }] }),
    testNode("large", "condition", 0, 100, { match: "all", rules: [] }),
    testNode("call", "connector", 0, 200, { name: "Call" }),
    testNode("each", "loop", 0, 300, ITEM),
    { ...testNode("inner", "transform", 0, 0, { fields: [{ name: "x", value: "{{each.item}}" }] }), parentId: "each" },
    { ...testNode("last", "transform", 0, 100, { fields: [] }), parentId: "each" },
    testNode("keep", "filter", 0, 400, { ...ITEM, match: "all", rules: [] }),
    testNode("after", "transform", 0, 500, { fields: [] }),
  ],
  edges: [
    testEdge("start", "large"),
    testEdge("large.true", "call"),
    testEdge("call", "each"),
    testEdge("inner", "last"),
    testEdge("each", "keep"),
    testEdge("keep", "after"),
  ],
};

function known(outputs: Readonly<Record<string, unknown>>): Known {
  const pins = Object.entries(outputs).map(([id, value]) => [id, { value, fromRunId: null }]);
  return { pins: Object.fromEntries(pins), results: {}, samples: {} };
}

function contextFor(
  nodeId: string,
  outputs: Readonly<Record<string, unknown>> = {},
  definition = DEFINITION,
): DataContext {
  const analysis = analyse(definition);
  return { analysis, steps: listDataSteps(analysis, nodeId, known(outputs)) };
}

function everyNode(context: DataContext): DataNode[] {
  const nodes = context.steps.map(rootNode);
  // An array iterates over elements that are added during the iteration.
  for (const node of nodes) nodes.push(...childNodes(context, node));
  return nodes;
}

const find = (context: DataContext, expression: string) =>
  everyNode(context).find((node) => node.expression === expression);

/** Names that need quotes, or look like something else. */
const KEYS = [
  "id",
  "unit price",
  'say "hi"',
  "back\\slash",
  "0",
  "",
  "}}",
  "{{",
  "имя",
  "a.b",
  "[0]",
  "new\nline",
  "each",
];
const LEAVES = ["text", "", 0, -1.5, true, false, null, "{{call.id}}"] as const;

function randomValue(random: SeededRandom, depth: number): unknown {
  const kind = random.below(depth === 0 ? 1 : 4);
  if (kind === 1) return Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
  if (kind > 1) {
    const names = Array.from({ length: random.below(5) }, () => random.pick(KEYS));
    return Object.fromEntries(names.map((name) => [name, randomValue(random, depth - 1)]));
  }
  return random.pick(LEAVES);
}

test("every reference of the tree resolves to the value that the tree shows", () => {
  let compared = 0;
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = seededRandom(seed);
    const orders = [
      randomValue(random, 4),
      [randomValue(random, 2), null],
      {
        lines: [
          [1, null],
          ["a b", "c"],
        ],
      },
    ];
    const outputs = {
      start: { amount: 5, __proto__: 1 },
      call: { body: { orders, "the rest": randomValue(random, 5) }, status: 200 },
      inner: { x: randomValue(random, 3) },
    };
    const context = contextFor("last", outputs);
    const scope = Object.fromEntries(context.steps.map(({ name, value }) => [name, value]));
    for (const { expression, value } of everyNode(context)) {
      if (expression === null || value === undefined) continue;
      expect(resolveTemplate(expression, scope), expression).toEqual(value);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(3_000);
});

test("every value of the tree has a key of its own, and is found by it", () => {
  const random = seededRandom(7);
  const context = contextFor("last", { call: { body: { orders: [{ id: 1 }], more: randomValue(random, 5) } } });
  const nodes = everyNode(context);
  expect(new Set(nodes.map(({ key }) => key)).size).toBe(nodes.length);
  for (const node of nodes) expect(findNode(context, node.key)).toEqual(node);
  expect(findNode(context, "output nothing")).toBeNull();
});

test("the steps are listed nearest first", () => {
  expect(contextFor("last").steps.map(({ name }) => name)).toEqual(["inner", "each", "call", "large", "action_input"]);
});

test("inside a loop, its list has an item that reads the loop", () => {
  const context = contextFor("last", { call: { body: { orders: [{ sku: "A-1" }] } } });
  const orders = find(context, "{{call.body.orders}}");
  const [each, first] = orders === undefined ? [] : childNodes(context, orders);
  expect(each).toMatchObject({ label: "each", expression: "{{each.item}}", value: { sku: "A-1" } });
  expect(each && childNodes(context, each)).toMatchObject([
    { label: "sku", expression: "{{each.item.sku}}", value: "A-1" },
  ]);
  expect(first).toMatchObject({ label: "[0]", expression: "{{call.body.orders[0]}}" });
});

test("outside a loop, a list of objects has no item to read, and a list of texts can be joined", () => {
  const context = contextFor("after", { call: { body: { other: [{ sku: "A-1" }], tags: ["new", "paid"] } } });
  expect(find(context, "{{each.item.sku}}")).toBeUndefined();
  expect(everyNode(context).filter(({ label, path }) => label === "each" && path.length > 0)).toMatchObject([
    { expression: "{{join(call.body.tags)}}", value: "new, paid", type: "string" },
  ]);
});

test("a list step reads its own item before everything else", () => {
  const context = contextFor("keep", { call: { body: { orders: [{ sku: "A-1" }] } } });
  expect(context.steps[0]).toMatchObject({ name: "keep", reads: "item", isOwn: true });
  expect(find(context, "{{keep.item.sku}}")?.value).toBe("A-1");
});

test("a step on a branch is marked as skippable, and an optional field as possibly empty", () => {
  const branching = branchingDefinition();
  const [start, ...others] = branching.nodes;
  const properties = [{ name: "note", type: "string", required: false }];
  const nodes = start === undefined ? [] : [{ ...start, data: { properties } }, ...others];
  const context = contextFor("end", {}, { ...branching, nodes });
  const marks = Object.fromEntries(context.steps.map(({ name, mark }) => [name, mark?.words]));
  expect(marks).toEqual({
    refund: "may be skipped",
    decline: "may be skipped",
    over_500: undefined,
    action_input: undefined,
  });
  const input = context.steps.find(({ name }) => name === "action_input");
  expect(input && markOfPath(context.analysis, input, ["note"])?.reason).toContain("the caller leaves out");
});

test("a value under a name that no expression can read is shown, but can't be inserted", () => {
  const context = contextFor("each", { call: { [`${"long ".repeat(50)}`]: { id: 1 } } });
  const unreadable = everyNode(context).filter(({ expression, step }) => expression === null && step.name === "call");
  expect(unreadable.map(({ value }) => value)).toEqual([{ id: 1 }, 1]);
});
