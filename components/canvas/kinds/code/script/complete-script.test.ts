import { CompletionContext } from "@codemirror/autocomplete";
import { javascript } from "@codemirror/lang-javascript";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { describe, expect, test } from "vitest";
import { closedObject, listShape, type Shape, scalar, UNKNOWN } from "#lib/core/shapes/shape";
import { completeScript } from "@/components/canvas/kinds/code/script/complete-script";
import { typeAt } from "@/components/canvas/kinds/code/script/hover-types";

const LINE = closedObject(["sku", scalar("string")], ["count", scalar("integer")]);
const ORDER = closedObject(["id", scalar("string")], ["lines", listShape(LINE)], ["two words", UNKNOWN]);
const INPUT: Shape = closedObject(["orders", listShape(ORDER)], ["first", ORDER], ["name", scalar("string")]);

function stateOf(doc: string): EditorState {
  const state = EditorState.create({ doc, extensions: [javascript({ typescript: true })] });
  ensureSyntaxTree(state, doc.length, 5_000);
  return state;
}

/** Completes at the bar. */
function labelsAt(text: string): string[] | null {
  const pos = text.indexOf("|");
  const state = stateOf(text.replace("|", ""));
  return completeScript(new CompletionContext(state, pos, false), INPUT)?.options.map(({ label }) => label) ?? null;
}

const ORDER_NAMES = ["id", "lines", "two words"];

describe("completion after a dot offers the properties of the value", () => {
  test.each([
    ["the input of a function body", "return input.|", ["orders", "first", "name"]],
    ["half a name", "return input?.or|", ["orders", "first", "name"]],
    [
      "the input of a module, whatever its name",
      "export default async (data) => { return data.| }",
      ["orders", "first", "name"],
    ],
    ["an exported function", "export default function main(input) { return input.first.| }", ORDER_NAMES],
    ["a property at depth 3", "return input.orders[0].lines[1].|", ["sku", "count"]],
    ["a property by its text", 'return input["first"].|', ORDER_NAMES],
    ["a name for a value", "const order = input.first;\nreturn order.|", ORDER_NAMES],
    ["a destructured name", "const { orders: [], first } = input;\nreturn first.|", ORDER_NAMES],
    ["a destructured parameter", "export default ({ first: one }) => one.|", ORDER_NAMES],
    ["the item of a callback", "return input.orders.map((order) => order.|)", ORDER_NAMES],
    ["the item of a callback without brackets", "return input.orders.find(o => o.| === 1)", ORDER_NAMES],
    ["the item of a list in an item", "input.orders.flatMap((o) => o.lines.filter((l) => l.|))", ["sku", "count"]],
    ["the item of a loop", "for (const order of input.orders) { order.| }", ORDER_NAMES],
    ["one found item", "return input.orders.filter((o) => o.id).at(-1).|", ORDER_NAMES],
    [
      "the result of a callback",
      "const lists = input.orders.map((o) => o.lines);\nreturn lists[0][0].|",
      ["sku", "count"],
    ],
    ["a global of the sandbox", "return crypto.|", ["randomUUID", "getRandomValues", "createHash", "createHmac"]],
    ["a name that is not finished before other code", "const a = input.first.|\nreturn a", ORDER_NAMES],
  ])("%s", (_, text, labels) => {
    expect(labelsAt(text)).toEqual(labels);
  });

  test("a list and a text have their methods", () => {
    expect(labelsAt("input.orders.|")).toEqual(expect.arrayContaining(["map", "filter", "length"]));
    expect(labelsAt("input.name.|")).toEqual(expect.arrayContaining(["toUpperCase", "split"]));
  });

  test("a value that nothing is known about offers nothing", () => {
    expect(labelsAt("other.|")).toBeNull();
    expect(labelsAt("const input = {};\nreturn input.|")).toBeNull();
    expect(labelsAt("const a = a.b.c;\nreturn a.|")).toBeNull();
  });
});

describe("completion of a name", () => {
  test("offers input, own names, the globals of the sandbox and keywords, and nothing of a browser", () => {
    const labels = labelsAt("const total = 1;\nreturn t|");
    expect(labels).toEqual(expect.arrayContaining(["input", "total", "structuredClone", "const"]));
    expect(labels).not.toEqual(expect.arrayContaining(["fetch"]));
    expect(labels).not.toEqual(expect.arrayContaining(["setTimeout"]));
  });

  test("offers nothing in texts and comments", () => {
    expect(labelsAt('return "inp|"')).toBeNull();
    expect(labelsAt("// inp|")).toBeNull();
  });
});

describe("the type of a name under the pointer", () => {
  test.each([
    [
      "return in|put.name",
      'input: { orders: { id: string; lines: { sku: string; count: number }[]; "two words": unknown }[]; first: { id: string; lines: { sku: string; count: number }[]; "two words": unknown }; name: string }',
    ],
    ["return input.orders[0].li|nes", "input.orders[0].lines: { sku: string; count: number }[]"],
    ["const or|der = input.name", "order: string"],
    ["return crypto.random|UUID()", "crypto.randomUUID: () => string"],
    ["return Ma|th.max(1)", "Math (global)"],
  ])("%s", (text, type) => {
    const pos = text.indexOf("|");
    expect(typeAt(stateOf(text.replace("|", "")), INPUT, pos, -1)?.text).toBe(type);
  });
});
