import { parseTypeScript } from "#lib/domain/workflows/checks/parse-typescript";

export type CodeNode = NonNullable<ReturnType<typeof parseTypeScript>>["tree"]["topNode"];

/** The name of the input of code that is the body of a function. */
export const BODY_INPUT = "input";
export const BODY_PREFIX = `(async (${BODY_INPUT}) => {"use strict";`;
const FUNCTIONS = new Set(["ArrowFunction", "FunctionDeclaration", "FunctionExpression", "MethodDeclaration"]);

export function isFunction({ name }: { name: string }): boolean {
  return FUNCTIONS.has(name);
}

/** The code of a step as the parser reads it. */
interface ParsedCode {
  /** The source, inside a function if it is the body of one. */
  code: string;
  /** The number of characters before the source. */
  prefix: number;
  top: CodeNode;
  /** The function that receives the step's input; null if the code exports something else. */
  main: CodeNode | null;
}

/** Returns the function whose body a source is. */
export function wrapBody(source: string): string {
  return `${BODY_PREFIX}${source}\n})`;
}

/** Parses the code of a step and finds its main function. Returns null if the code does not parse. */
export function parseCode(source: string): ParsedCode | null {
  const isModule = /\bexport\s+default\b/.test(source);
  const code = isModule ? source : wrapBody(source);
  const parsed = parseTypeScript(code);
  if (parsed === null || parsed.errorAt !== null) return null;
  const top = parsed.tree.topNode;
  return { code, prefix: isModule ? 0 : BODY_PREFIX.length, top, main: findMain(top, isModule) };
}

function findMain(top: CodeNode, isModule: boolean): CodeNode | null {
  if (!isModule) return top.firstChild?.getChild("ParenthesizedExpression")?.getChild("ArrowFunction") ?? null;
  const exported = top.getChildren("ExportDeclaration").find((node) => node.getChild("default") !== null);
  const found = exported?.lastChild?.name === ";" ? exported.lastChild.prevSibling : (exported?.lastChild ?? null);
  return found && isFunction(found) ? found : null;
}
