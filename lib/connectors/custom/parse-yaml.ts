import { Composer, type Document, Lexer, Parser } from "yaml";
import { BuildRefused } from "#lib/connectors/custom/custom-definition";

const ALIASES_MAX = 100;
/** What the lexer cuts a text into: `key: value` is seven of them. Each costs up to 4 µs, JSON next to nothing. */
const LEXEMES_MAX = 400_000;
/** Every collection in brackets costs the composer its stack. */
const FLOW_DEPTH_MAX = 200;

/**
 * The value of a text in YAML; of several documents the first. In pieces, so that nothing takes long: `parseDocument` of
 * the same package goes on after a fault, and takes a minute for 2 MiB of them.
 * @throws BuildRefused for what would take seconds, Error saying why it cannot be read
 */
export function parseYaml(text: string): unknown {
  const { stackTraceLimit } = Error;
  // The composer makes an error of each fault in a document, of which the first is told. Their stacks are what is dear.
  Error.stackTraceLimit = 0;
  try {
    const document = composeFirst(text);
    const [error] = document.errors;
    // The composer reports a stack that ran out like any other fault.
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
  throw new Error("it holds no document");
}

/** All of them before the first is parsed: cutting is a fifth of the work. */
function cut(text: string): string[] {
  const lexemes: string[] = [];
  let depth = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexemes.push(lexeme) > LEXEMES_MAX) {
      const message = "The document is too large for YAML, which takes long to read. Give it as JSON.";
      throw new BuildRefused("", "too_large", message);
    }
    if (lexeme === "[" || lexeme === "{") depth += 1;
    else if (lexeme === "]" || lexeme === "}") depth -= 1;
    if (depth > FLOW_DEPTH_MAX) throw new RangeError("too many brackets");
  }
  return lexemes;
}
