/** The name of the user's source in the interpreter's stacks. */
export const SOURCE_NAME = "code.ts";

/** The interpreter's own words. */
const NO_MODULE = "could not load module";

const NO_NETWORK = "Code has no network: use an HTTP step";
const NO_IMPORTS = "Nothing can be imported in code: use an HTTP step to reach other services";
const NO_TIMERS = "Code has no timers: use a Delay step";
const NO_LOCALES =
  "Use {{format_date(date, pattern, time_zone)}} and {{format_number(number, decimals)}} in the step's input";
const NO_PROCESS = "Code has no access to the machine it runs on";

const HINTS: ReadonlyMap<string, string> = new Map([
  ...["fetch", "XMLHttpRequest", "WebSocket", "EventSource"].map((name) => [name, NO_NETWORK] as const),
  ...["require", "module", "exports"].map((name) => [name, NO_IMPORTS] as const),
  ...["setTimeout", "setInterval", "setImmediate"].map((name) => [name, NO_TIMERS] as const),
  ...["process", "global", "window", "Deno", "Bun"].map((name) => [name, NO_PROCESS] as const),
  ["Buffer", "There is no Buffer: use TextEncoder, Uint8Array, atob and btoa"],
  ["Intl", `There is no Intl. ${NO_LOCALES}`],
  ["Temporal", `There is no Temporal: use Date. ${NO_LOCALES}`],
]);

/** The guest's description of a thrown value. */
export interface ThrownError {
  name: string;
  message: string;
  stack: string;
  /** Empty if it has none. */
  code: string;
  retryAfterMs: number | null;
}

/**
 * Describes the error in one line for its author: what failed, where in the source, and what to do instead when we
 * know.
 */
export function explainError({ name, message, stack }: Pick<ThrownError, "name" | "message" | "stack">): string {
  const text = name === "" ? message : `${name}: ${message}`;
  const line = lineIn(stack);
  const hint = hintFor(name, message);
  return `${text}${line === null ? "" : ` (line ${line})`}${hint === null ? "" : `. ${hint}`}`;
}

/** Returns true if the interpreter could not load a module, so that none of its statements ran. */
export function isLoadFailure({ name, message }: Pick<ThrownError, "name" | "message">): boolean {
  return name === "SyntaxError" || message.startsWith(NO_MODULE);
}

/** Returns the line of the innermost place in the user's source; frames of the library above it are skipped. */
export function lineIn(stack: string): number | null {
  const match = /\bcode\.ts:(\d{1,9})(?::\d{1,9})?/.exec(stack);
  return match ? Number(match[1]) : null;
}

function hintFor(name: string, message: string): string | null {
  if (name !== "ReferenceError") return null;
  if (message.startsWith(NO_MODULE)) return NO_IMPORTS;
  const missing = /^'?([\w$]+)'? is not defined$/.exec(message)?.[1];
  return adviceForGlobal(missing ?? "");
}

/** Says what to use instead of a global of browsers and servers that the sandbox does not have; null for other names. */
export function adviceForGlobal(name: string): string | null {
  return HINTS.get(name) ?? null;
}
