import { Composer, type Document, Lexer, Parser } from "yaml";
import { BuildRefused } from "#lib/connectors/custom/custom-definition";

const ALIASES_MAX = 100;
/**
 * The limit of lexer tokens: `key: value` is seven of them. Each costs up to 4 µs; in JSON they cost next to nothing.
 */
const LEXEMES_MAX = 400_000;
/** The limit of nested brackets: every collection in brackets uses the composer's stack. */
const FLOW_DEPTH_MAX = 200;

/**
 * Parses a YAML text, or the first of several documents in it. It works in pieces, so that nothing takes long:
 * `parseDocument` of the same package continues after an error, and takes a minute for 2 MiB of errors.
 * @throws BuildRefused if it would take seconds, Error with the reason if it is invalid
 */
export function parseYaml(text: string): unknown {
  const { stackTraceLimit } = Error;
  // The composer creates an Error for each error in a document, and only the first is reported. Their stack traces are
  // the expensive part.
  Error.stackTraceLimit = 0;
  try {
    const document = composeFirst(text);
    const [error] = document.errors;
    // The composer reports a stack overflow like any other error.
    if (error?.code === "RESOURCE_EXHAUSTION") throw new RangeError(error.message);
    if (error) throw error;
    return document.toJS({ maxAliasCount: ALIASES_MAX });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function composeFirst(text: string): Document {
  const parser = new Parser();
  const composer = new Composer({ schema: "core", merge: false, uniqueKeys: false });
  for (const lexeme of cut(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === "error") throw new Error(token.message);
      for (const document of composer.next(token)) return document;
    }
  }
  for (const token of parser.end()) for (const document of composer.next(token)) return document;
  for (const document of composer.end(true, text.length)) return document;
  throw new Error("it contains no document");
}

/** Lexes everything before the first parse: lexing is a fifth of the work. */
function cut(text: string): string[] {
  const lexemes: string[] = [];
  let depth = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexemes.push(lexeme) > LEXEMES_MAX) {
      const message = "The document is too large for YAML, which is slow to read. Provide it as JSON.";
      throw new BuildRefused("", "too_large", message);
    }
    if (lexeme === "[" || lexeme === "{") depth += 1;
    else if (lexeme === "]" || lexeme === "}") depth -= 1;
    if (depth > FLOW_DEPTH_MAX) throw new RangeError("too many brackets");
  }
  return lexemes;
}
