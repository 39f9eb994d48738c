import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { readPath } from "#lib/core/shapes/read-path";
import { listShape, membersOf, type Shape, scalar, UNKNOWN, unionShape } from "#lib/core/shapes/shape";

export type SyntaxNode = ReturnType<typeof syntaxTree>["topNode"];

/** The code, and what is known about it. */
export interface Script {
  state: EditorState;
  input: Shape;
}

/** Names that refer to names that refer to names: deeper ones are unknown. */
const DEPTH_MAX = 20;
const FUNCTIONS = ["ArrowFunction", "FunctionDeclaration", "FunctionExpression"];
const SAME_LIST = new Set(["filter", "slice", "toSorted", "sort", "toReversed", "reverse", "concat", "toSpliced"]);
const ONE_ITEM = new Set(["find", "findLast", "at", "pop", "shift"]);
const WITH_ITEM = new Set([
  ...["map", "filter", "forEach", "find", "findIndex", "findLast", "findLastIndex", "some", "every", "flatMap"],
]);
const RESULTS: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(
    ["toUpperCase", "toLowerCase", "trim", "replace", "replaceAll", "join", "toFixed", "toString", "padStart"].map(
      (name) => [name, scalar("string")],
    ),
  ),
  ...Object.fromEntries(
    ["includes", "startsWith", "endsWith", "some", "every"].map((name) => [name, scalar("boolean")]),
  ),
  ...Object.fromEntries(["indexOf", "findIndex", "lastIndexOf"].map((name) => [name, scalar("integer")])),
  split: listShape(scalar("string")),
};

/** How long the editor may wait for the parser, which else continues when the page is idle. */
const PARSE_MS = 100;

/** Returns the tree of the code, at least up to a position if the parser is fast enough. */
export function treeOf(state: EditorState, upTo = state.doc.length) {
  return ensureSyntaxTree(state, upTo, PARSE_MS) ?? syntaxTree(state);
}

export function scriptText({ state }: Script, node: SyntaxNode): string {
  return state.sliceDoc(node.from, node.to);
}

/** Returns what is known about the value of an expression. */
export function shapeAt(script: Script, node: SyntaxNode, depth = 0): Shape {
  if (depth > DEPTH_MAX) return UNKNOWN;
  switch (node.name) {
    case "VariableName":
      return shapeOfName(script, scriptText(script, node), node, depth + 1);
    case "MemberExpression":
      return shapeOfMember(script, node, depth);
    case "ParenthesizedExpression":
    case "AwaitExpression": {
      const inner = node.firstChild?.nextSibling;
      return inner ? shapeAt(script, inner, depth + 1) : UNKNOWN;
    }
    case "CallExpression":
      return shapeOfCall(script, node, depth);
    case "String":
    case "TemplateString":
      return scalar("string");
    case "Number":
      return scalar("number");
    case "BooleanLiteral":
      return scalar("boolean");
    default:
      return UNKNOWN;
  }
}

function shapeOfMember(script: Script, node: SyntaxNode, depth: number): Shape {
  const [object, key] = [node.firstChild, memberKey(script, node)];
  if (object === null || key === null) return UNKNOWN;
  return readKey(shapeAt(script, object, depth + 1), key);
}

/** Follows one key; unknown if nothing is known. */
export function readKey(shape: Shape, key: string | number): Shape {
  const { kind } = shape;
  if (key === "length" && (kind === "array" || (kind === "scalar" && shape.type === "string")))
    return scalar("integer");
  const found = readPath(shape, [key]);
  return found.kind === "found" ? found.shape : UNKNOWN;
}

/** Returns the constant key of a member expression; null if it is computed. */
export function memberKey(script: Script, member: SyntaxNode): string | number | null {
  const name = member.getChild("PropertyName");
  if (name !== null) return scriptText(script, name);
  const [computed] = [member.getChild("Number"), member.getChild("String")].filter((found) => found !== null);
  // The object itself can be a text: "abc"[0].
  if (computed === undefined || computed.from === member.from) return member.lastChild?.name === "]" ? 0 : null;
  const text = scriptText(script, computed);
  return computed.name === "Number" ? Number(text) : text.slice(1, -1);
}

function shapeOfCall(script: Script, node: SyntaxNode, depth: number): Shape {
  const callee = node.firstChild;
  const object = callee?.name === "MemberExpression" ? callee.firstChild : null;
  if (callee === null || object === null) return UNKNOWN;
  const method = memberKey(script, callee);
  const on = shapeAt(script, object, depth + 1);
  const items = itemsOf(on);
  if (typeof method !== "string") return UNKNOWN;
  if (items !== null && SAME_LIST.has(method)) return on;
  if (items !== null && ONE_ITEM.has(method)) return items;
  if (items !== null && method === "map") {
    const [callback] = argumentsOf(node);
    const body = callback?.name === "ArrowFunction" ? callback.lastChild : null;
    return listShape(body && body.name !== "Block" ? shapeAt(script, body, depth + 1) : UNKNOWN);
  }
  return RESULTS[method] ?? UNKNOWN;
}

function argumentsOf(call: SyntaxNode): SyntaxNode[] {
  const list = call.getChild("ArgList");
  const found: SyntaxNode[] = [];
  for (let child = list?.firstChild ?? null; child !== null; child = child.nextSibling) {
    if (!"(),".includes(child.name)) found.push(child);
  }
  return found;
}

function itemsOf(shape: Shape): Shape | null {
  const lists = membersOf(shape).filter((member) => member.kind === "array");
  return lists.length === 0 ? null : unionShape(lists.map(({ items }) => items));
}

/** Finds the definition of a name in the blocks and functions around its use. */
function shapeOfName(script: Script, name: string, use: SyntaxNode, depth: number): Shape {
  for (let scope: SyntaxNode | null = use; scope !== null; scope = scope.parent) {
    const found = FUNCTIONS.includes(scope.name)
      ? definedByFunction(script, name, scope, depth)
      : scope.name === "ForStatement"
        ? definedByLoop(script, name, scope, depth)
        : definedInBlock(script, name, scope, use, depth);
    if (found !== null) return found;
  }
  return name === "input" && !isModule(script) ? script.input : UNKNOWN;
}

function isModule({ state }: Script): boolean {
  return /\bexport\s+default\b/.test(state.doc.toString());
}

function definedByFunction(script: Script, name: string, scope: SyntaxNode, depth: number): Shape | null {
  const start = scope.getChild("ParamList")?.firstChild;
  const first = start?.name === "(" ? start.nextSibling : start;
  if (!first) return null;
  const read = () => (scope.parent?.name === "ExportDeclaration" ? script.input : itemOfCallback(script, scope, depth));
  return matchPattern(script, name, first, read);
}

/** The first parameter of `orders.map(...)` is an item of `orders`. */
function itemOfCallback(script: Script, callback: SyntaxNode, depth: number): Shape {
  const call = callback.parent?.name === "ArgList" ? callback.parent.parent : null;
  const callee = call?.firstChild;
  const object = callee?.name === "MemberExpression" ? callee.firstChild : null;
  if (!callee || !object) return UNKNOWN;
  const method = memberKey(script, callee);
  if (typeof method !== "string" || !WITH_ITEM.has(method)) return UNKNOWN;
  return itemsOf(shapeAt(script, object, depth + 1)) ?? UNKNOWN;
}

function definedByLoop(script: Script, name: string, scope: SyntaxNode, depth: number): Shape | null {
  const spec = scope.getChild("ForOfSpec");
  const target = spec?.getChild("VariableDefinition") ?? spec?.getChild("ObjectPattern") ?? null;
  const list = spec?.getChild("of")?.nextSibling ?? null;
  if (target === null || list === null) return null;
  return matchPattern(script, name, target, () => itemsOf(shapeAt(script, list, depth + 1)) ?? UNKNOWN);
}

function definedInBlock(script: Script, name: string, scope: SyntaxNode, use: SyntaxNode, depth: number): Shape | null {
  if (scope.name !== "Block" && scope.name !== "Script") return null;
  for (const declaration of scope.getChildren("VariableDeclaration")) {
    // `const a = a.b` must not read itself.
    if (declaration.from >= use.from) continue;
    for (let child = declaration.firstChild; child !== null; child = child.nextSibling) {
      if (child.name !== "VariableDefinition" && child.name !== "ObjectPattern") continue;
      const value = assignedTo(child);
      if (value !== null && value.from <= use.from && use.to <= value.to) continue;
      const found = matchPattern(script, name, child, () => (value ? shapeAt(script, value, depth + 1) : UNKNOWN));
      if (found !== null) return found;
    }
  }
  return null;
}

/** The value behind the `=` of a definition. */
function assignedTo(definition: SyntaxNode): SyntaxNode | null {
  for (let next = definition.nextSibling; next !== null && next.name !== ","; next = next.nextSibling) {
    if (next.name === "Equals") return next.nextSibling;
  }
  return null;
}

/** Returns the shape of a name that a definition such as `a` or `{ a, b: c }` defines; null if it does not define it. */
function matchPattern(script: Script, name: string, target: SyntaxNode, read: () => Shape): Shape | null {
  if (target.name === "VariableDefinition") return scriptText(script, target) === name ? read() : null;
  for (const property of target.getChildren("PatternProperty")) {
    const key = property.getChild("PropertyName");
    const own = property.getChild("VariableDefinition");
    if (key === null && own === null) continue;
    const defined = scriptText(script, own ?? key ?? property);
    if (defined === name) return readKey(read(), scriptText(script, key ?? own ?? property));
  }
  return null;
}
