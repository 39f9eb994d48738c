import { javascript } from "@codemirror/lang-javascript";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { ANY_OBJECT, closedObject, listShape, scalar, UNKNOWN } from "#lib/core/shapes/shape";
import { lintScript, type ScriptFacts } from "@/components/canvas/kinds/code/script/lint-script";

const INPUT = closedObject(
  ["order", closedObject(["total", scalar("number")])],
  ["orders", listShape(closedObject(["id", scalar("string")]))],
  ["open", ANY_OBJECT],
  ["unknown", UNKNOWN],
);

function lint(doc: string, facts: Partial<ScriptFacts> = {}) {
  const state = EditorState.create({ doc, extensions: [javascript({ typescript: true })] });
  ensureSyntaxTree(state, doc.length, 5_000);
  return lintScript(state, { input: INPUT, checked: null, thrown: null, ...facts }).map((found) => {
    const line = state.doc.lineAt(found.from);
    return [found.severity, `${line.number}:${found.from - line.from + 1}`, found.message];
  });
}

test("a property that the earlier steps certainly do not have is a warning at its place", () => {
  expect(lint("const a = 1;\nreturn input.ordr.total")).toEqual([
    ["warning", "2:14", 'input has no "ordr"; did you mean "order" or "orders"?'],
  ]);
  expect(lint("return input.order.totl")).toEqual([
    ["warning", "1:20", 'input.order has no "totl"; did you mean "total"?'],
  ]);
  expect(lint("return input.orders.map((o) => o.name)")).toEqual([["warning", "1:34", 'o has no "name"']]);
});

test("what earlier steps leave open, methods of texts and lists, and members of every object are silent", () => {
  expect(
    lint("input.open.any.thing; input.unknown.x; input.orders.map((o) => o.id.trim()); input.order.toString()"),
  ).toEqual([]);
});

test("until the draft is saved, the parser of the editor marks the first syntax error", () => {
  expect(lint("const a = 1;\nconst b = ;")).toEqual([["error", "2:11", "This isn't valid TypeScript"]]);
});

test("as soon as exactly this source is checked, its syntax has the place and words of publishing", () => {
  const source = "const a = 1;\nconst b = ;";
  const error = { message: "Expression expected", line: 2, column: 11 };
  expect(lint(source, { checked: { source, error } })).toEqual([["error", "2:11", "Expression expected"]]);
  expect(lint(source, { checked: { source, error: null } })).toEqual([]);
  expect(lint(`${source} `, { checked: { source, error } })).toEqual([
    ["error", "2:11", "This isn't valid TypeScript"],
  ]);
});

test("the error of the last run marks its line", () => {
  expect(lint("let a;\n  throw new Error('x')", { thrown: { message: "Error: x", line: 2 } })).toEqual([
    ["error", "2:3", "Error: x"],
  ]);
});
