import { closedObject, listShape, type Shape, scalar, shapeOfValue, UNKNOWN, unionShape } from "#lib/core/shapes/shape";
import { type CodeNode, isFunction, parseCode } from "#lib/domain/workflows/checks/parse-main-function";

/** Code with more nested literals says nothing. */
const DEPTH_MAX = 8;

/**
 * Returns what a code step returns, as far as its returned literals show it. Anything else than literals in all its
 * returns, such as a spread or a variable, makes the output unknown.
 */
export function shapeOfCode(source: string): Shape {
  const parsed = parseCode(source);
  if (parsed === null || parsed.main === null) return UNKNOWN;
  const { code, main } = parsed;
  const body = main.lastChild;
  if (main.name === "ArrowFunction" && body !== null && body.name !== "Block") return shapeOf(body, code, 0);
  if (body?.name !== "Block" || main.getChild("Star") !== null) return UNKNOWN;
  const returned = returnsOf(body).map((value) => (value === null ? UNKNOWN : shapeOf(value, code, 0)));
  return returned.length === 0 ? UNKNOWN : unionShape(returned);
}

/** Returns the returned values of a function's own body; null for one that is left out. */
function returnsOf(body: CodeNode): (CodeNode | null)[] {
  const found: (CodeNode | null)[] = [];
  body.cursor().iterate((node) => {
    if (isFunction(node) || node.name === "ClassBody") return false;
    if (node.name !== "ReturnStatement") return true;
    const value = node.node.firstChild?.nextSibling ?? null;
    found.push(value === null || value.name === ";" ? null : value);
    return false;
  });
  return found;
}

function shapeOf(node: CodeNode, code: string, depth: number): Shape {
  if (depth > DEPTH_MAX) return UNKNOWN;
  switch (node.name) {
    case "ParenthesizedExpression": {
      const inner = node.firstChild?.nextSibling ?? null;
      return inner !== null && inner.nextSibling?.name === ")" ? shapeOf(inner, code, depth + 1) : UNKNOWN;
    }
    case "ObjectExpression":
      return objectOf(node, code, depth);
    case "String":
    case "TemplateString":
      return scalar("string");
    case "Number":
      return shapeOfValue(Number(code.slice(node.from, node.to).replaceAll("_", "")));
    case "BooleanLiteral":
      return scalar("boolean");
    case "ArrayExpression":
      return listShape(UNKNOWN);
    default:
      return UNKNOWN;
  }
}

function objectOf(node: CodeNode, code: string, depth: number): Shape {
  const fields: [string, Shape][] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if ("{},".includes(child.name) || child.name.endsWith("Comment")) continue;
    const name = child.name === "Property" ? nameOf(child.firstChild, code) : null;
    // A computed name, a spread or a getter can add any field, and toJSON can replace them all.
    if (name === null || name === "toJSON" || name === "__proto__") return UNKNOWN;
    const value = child.lastChild;
    const isPlain = child.getChild(":") !== null && value !== null;
    fields.push([name, isPlain ? shapeOf(value, code, depth + 1) : UNKNOWN]);
  }
  return closedObject(...fields);
}

function nameOf(key: CodeNode | null, code: string): string | null {
  if (key === null) return null;
  const text = code.slice(key.from, key.to);
  if (key.name === "PropertyDefinition") return text.includes("\\") ? null : text;
  return key.name === "String" && !text.includes("\\") ? text.slice(1, -1) : null;
}
