const ENVIRONMENT =
  "expressions read no environment variables. Keep a secret in a connection, and write other values as they are";
const TIME = "expressions have no clock. Use new Date() in a Code step";
const BLOCK = "expressions have no blocks. Choose the text with a Condition step, or build it in a Code step";
const CONSOLE = "expressions can't call JavaScript. Use a function such as {{upper(value)}}, or a Code step";

/** Names that exist in other engines and have no counterpart in an expression. */
const ADVICE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["env", "environment", "secrets", "secret", "process", "vars"].map((name) => [name, ENVIRONMENT]),
  ),
  ...Object.fromEntries(["now", "today", "date", "timestamp", "datetime"].map((name) => [name, TIME])),
  ...Object.fromEntries(["else", "end", "endif", "endfor", "if", "for", "range", "with"].map((name) => [name, BLOCK])),
  ...Object.fromEntries(["json", "math", "object", "array", "string", "number"].map((name) => [name, CONSOLE])),
};

/** Returns what to do instead of using a name of another engine, as the end of a sentence; null for any other name. */
export function adviceForName(name: string): string | null {
  const word = name.toLowerCase();
  return Object.hasOwn(ADVICE, word) ? `: ${ADVICE[word]}` : null;
}
