import { CODE_LIMITS } from "#lib/contract/limits/code-limits";

const { consoleLines, consoleLineCharacters, consoleBytes } = CODE_LIMITS;
/** The rest is for the line that says that the console was cut. */
const MAX_CHARACTERS = consoleBytes - 100;

// Captured before user code can change them. The lines are kept as JSON, so that reading them runs no user code.
const stringify = JSON.stringify;
let lines = "";
let lineCount = 0;
let isCut = false;

/** The `console` of user code: its arguments are kept as text, up to a limit, and shown with the step. */
export const console = {
  log: (...values: unknown[]) => write("", values),
  info: (...values: unknown[]) => write("", values),
  debug: (...values: unknown[]) => write("", values),
  warn: (...values: unknown[]) => write("[warn] ", values),
  error: (...values: unknown[]) => write("[error] ", values),
};

/** Returns everything written so far, as a JSON array of strings. */
export function consoleJson(): string {
  return `[${lines}]`;
}

function write(level: string, values: unknown[]): void {
  if (isCut) return;
  const text = level + values.map(toText).join(" ");
  const line = stringify(text.length > consoleLineCharacters ? `${text.slice(0, consoleLineCharacters)}…` : text);
  isCut = lineCount >= consoleLines || lines.length + line.length > MAX_CHARACTERS;
  lines += (lineCount === 0 ? "" : ",") + (isCut ? stringify("… what followed was not kept") : line);
  lineCount += 1;
}

/** Writing to the console never fails, whatever the arguments. */
function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return `${value}n`;
  try {
    if (typeof value === "function") return `[function ${value.name}]`;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    return stringify(value, showCollections) ?? String(value);
  } catch {
    return `[${typeof value}]`;
  }
}

function showCollections(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  return typeof value === "bigint" ? `${value}n` : value;
}
