import { parser } from "@lezer/javascript";

type Tree = ReturnType<typeof parser.parse>;

/** Continuing after an error can take seconds and gigabytes for a few thousand characters. */
const strict = parser.configure({ dialect: "ts", strict: true });
const lenient = parser.configure({ dialect: "ts" });

/** The tree of some code, or of its part before the first error, which the parser found at `errorAt`. */
interface ParsedTypeScript {
  tree: Tree;
  errorAt: number | null;
}

/** The most recent code, because one check of a step asks for its tree more than once. */
let latest: { code: string; parsed: ParsedTypeScript | null } | null = null;

/** Parses TypeScript in time that is linear in its length. Returns null if it is nested too deeply for the parser. */
export function parseTypeScript(code: string): ParsedTypeScript | null {
  if (latest?.code !== code) latest = { code, parsed: parseNew(code) };
  return latest.parsed;
}

function parseNew(code: string): ParsedTypeScript | null {
  const parse = strict.startParse(code);
  try {
    let tree: Tree | null = null;
    while (tree === null) tree = parse.advance();
    return { tree, errorAt: null };
  } catch (error) {
    return error instanceof SyntaxError ? parseStart(code, parse.parsedPos) : null;
  }
}

/** Code that only ends too early is completed without a search. */
function parseStart(code: string, errorAt: number): ParsedTypeScript | null {
  try {
    return { tree: lenient.parse(code.slice(0, errorAt)), errorAt };
  } catch {
    return null;
  }
}
