import { stripTypeScriptTypes } from "node:module";
import { BODY_PREFIX, wrapBody } from "#lib/domain/workflows/checks/parse-main-function";
import { parseTypeScript } from "#lib/domain/workflows/checks/parse-typescript";

/**
 * Node's parser breaks for the whole process on code that is nested very deeply, so the nesting is counted first, by a
 * parser that needs no stack. Real code stays far below.
 */
const DEPTH_MAX = 150;
/** Behind an error, the nesting is unknown: each word and each sign could be another level. */
const UNKNOWN_MAX = 600;

/** A syntax error, at a position in the user's source, both from 1. */
export interface SyntaxProblem {
  message: string;
  line: number;
  column: number | null;
}

/** Finds the first syntax error of a code step; null if there is none, or if the code is nested too deeply to know. */
export function findSyntaxError(source: string): SyntaxProblem | null {
  const body = wrapBody(source);
  if (!/\bexport\s+default\b/.test(source)) return isFlat(body) ? stripped(body, source, BODY_PREFIX.length) : null;
  if (!isFlat(source)) return null;
  const asModule = stripped(source, source, 0);
  // The words may occur in a text of a function body.
  return asModule === null || stripped(body, source, BODY_PREFIX.length) === null ? null : asModule;
}

function isFlat(code: string): boolean {
  const parsed = parseTypeScript(code);
  if (parsed === null) return false;
  const rest = parsed.errorAt === null ? "" : code.slice(parsed.errorAt);
  if ((rest.match(/\w+|[^\w\s]/g)?.length ?? 0) > UNKNOWN_MAX) return false;
  let depth = 0;
  let isTooDeep = false;
  parsed.tree.iterate({
    enter: () => {
      depth += 1;
      if (depth > DEPTH_MAX) isTooDeep = true;
      return !isTooDeep;
    },
    leave: () => {
      depth -= 1;
    },
  });
  return !isTooDeep;
}

function stripped(code: string, source: string, prefix: number): SyntaxProblem | null {
  try {
    withoutWarnings(() => stripTypeScriptTypes(code, { mode: "strip" }));
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? placed(error, source, prefix) : null;
  }
}

/** With its first call, Node writes that the function is experimental to the standard error of whatever runs the check. */
function withoutWarnings(work: () => void): void {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Node writes `<file>:<line>`, the line itself, and carets below the position before the stack. */
function placed({ message, stack = "" }: SyntaxError, source: string, prefix: number): SyntaxProblem | null {
  const lines = stack.split("\n");
  const line = Number(/:(\d+)$/.exec(lines[0] ?? "")?.[1]);
  if (!Number.isInteger(line)) return null;
  const own = source.split("\n");
  const caret = lines.slice(1, 4).find((text) => /^\s*\^+\s*$/.test(text));
  const column = caret === undefined ? null : caret.indexOf("^") + 1 - (line === 1 ? prefix : 0);
  // The end of an incomplete body is behind its last line.
  if (line > own.length) return { message, line: own.length, column: (own.at(-1) ?? "").length + 1 };
  return { message, line, column: column === null || column < 1 ? null : column };
}
