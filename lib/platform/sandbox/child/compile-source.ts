import { stripTypeScriptTypes } from "node:module";
import type { CompiledSource } from "#lib/platform/sandbox/sandbox-call";

/** Added to the first line of the source, so that line numbers are the user's. */
const BODY_PREFIX = '(async (input) => {"use strict";';

/** The source is not runnable TypeScript; the message names the line if there is one. */
export class InvalidSource extends Error {
  /** True when the parser did not survive the source: this process can parse no other any more. */
  readonly hasBrokenParser: boolean;

  constructor(message: string, options: { hasBrokenParser: boolean }) {
    super(message);
    this.hasBrokenParser = options.hasBrokenParser;
  }
}

/**
 * Removes the types from a module with a default export, or from the body of a function of `input` (decisions, The
 * graph document: `code`). Spaces replace types, so lines and columns are unchanged. This runs only in the child: a
 * hundred thousand opening brackets break Node's TypeScript parser for the whole process, imports included.
 * @throws InvalidSource
 */
export function compileSource(source: string): CompiledSource {
  if (!/\bexport\s+default\b/.test(source)) return compileBody(source);
  try {
    return { form: "module", code: strip(source, source) };
  } catch (error) {
    // The words may occur in a text of a function body.
    if (!(error instanceof InvalidSource) || error.hasBrokenParser) throw error;
    try {
      return compileBody(source);
    } catch {
      throw error;
    }
  }
}

function compileBody(source: string): CompiledSource {
  return { form: "body", code: strip(`${BODY_PREFIX}${source}\n})`, source) };
}

function strip(code: string, source: string): string {
  try {
    return stripTypeScriptTypes(code, { mode: "strip" });
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      throw new InvalidSource("The code is nested too deeply to be parsed", { hasBrokenParser: true });
    }
    // Node puts `<file>:<line>` and an excerpt before the stack.
    const line = Number(/^[^\n]*:(\d+)\n/.exec(error.stack ?? "")?.[1]);
    // The end of an incomplete body is behind its last line.
    const position = Number.isNaN(line) ? "" : ` (line ${Math.min(line, source.split("\n").length)})`;
    throw new InvalidSource(`SyntaxError: ${error.message}${position}`, { hasBrokenParser: false });
  }
}
