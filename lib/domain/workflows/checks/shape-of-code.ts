import { closedObject, listShape, type Shape, scalar, shapeOfValue, UNKNOWN, unionShape } from "#lib/core/shapes/shape";
import { parseTypeScript } from "#lib/domain/workflows/checks/parse-typescript";

type SyntaxNode = NonNullable<ReturnType<typeof parseTypeScript>>["tree"]["topNode"];

const BODY_PREFIX = "(async (input) => {";
/** Code with more nested literals says nothing. */
const DEPTH_MAX = 8;
const FUNCTIONS = new Set(["ArrowFunction", "FunctionDeclaration", "FunctionExpression", "MethodDeclaration"]);

/**
 * Returns what a code step returns, as far as its returned literals show it. Anything else than literals in all its
 * returns, such as a spread or a variable, makes the output unknown.
 */
export function shapeOfCode(source: string): Shape {
  const isModule = /\bexport\s+default\b/.test(source);
  const code = isModule ? source : `${BODY_PREFIX}${source}\n})`;
  const parsed = parseTypeScript(code);
  if (parsed === null || parsed.errorAt !== null) return UNKNOWN;
  const main = findMain(parsed.tree.topNode, isModule);
  if (main === null) return UNKNOWN;
  const body = main.lastChild;
  if (main.name === "ArrowFunction" && body !== null && body.name !== "Block") return shapeOf(body, code, 0);
  if (body?.name !== "Block" || main.getChild("Star") !== null) return UNKNOWN;
  const returned = returnsOf(body).map((value) => (value === null ? UNKNOWN : shapeOf(value, code, 0)));
  return returned.length === 0 ? UNKNOWN : unionShape(returned);
}

function findMain(top: SyntaxNode, isModule: boolean): SyntaxNode | null {
  if (!isModule) return top.firstChild?.getChild("ParenthesizedExpression")?.getChild("ArrowFunction") ?? null;
  const exported = top.getChildren("ExportDeclaration").find((node) => node.getChild("default") !== null);
  const found = exported?.lastChild?.name === ";" ? exported.lastChild.prevSibling : (exported?.lastChild ?? null);
  return found && FUNCTIONS.has(found.name) ? found : null;
}

/** Returns the returned values of a function's own body; null for one that is left out. */
function returnsOf(body: SyntaxNode): (SyntaxNode | null)[] {
  const found: (SyntaxNode | null)[] = [];
  body.cursor().iterate((node) => {
    if (FUNCTIONS.has(node.name) || node.name === "ClassBody") return false;
    if (node.name !== "ReturnStatement") return true;
    const value = node.node.firstChild?.nextSibling ?? null;
    found.push(value === null || value.name === ";" ? null : value);
    return false;
  });
  return found;
}

function shapeOf(node: SyntaxNode, code: string, depth: number): Shape {
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

function objectOf(node: SyntaxNode, code: string, depth: number): Shape {
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

function nameOf(key: SyntaxNode | null, code: string): string | null {
  if (key === null) return null;
  const text = code.slice(key.from, key.to);
  if (key.name === "PropertyDefinition") return text.includes("\\") ? null : text;
  return key.name === "String" && !text.includes("\\") ? text.slice(1, -1) : null;
}
