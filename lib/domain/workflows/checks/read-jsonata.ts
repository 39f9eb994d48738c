import jsonata from "jsonata";
import { isRounded } from "#lib/domain/workflows/checks/is-rounded";
import { JSONATA_FUNCTIONS } from "#lib/domain/workflows/checks/jsonata-functions";
import { isJsonObject } from "#lib/support/json";

/** A step that an expression names, with the fields that it reads from it. */
export interface NamedStep {
  name: string;
  path: string[];
}

export type JsonataResult =
  | { problem: { message: string; position: number | null } }
  | {
      names: NamedStep[];
      /** What reads all steps, such as `*` or `$keys($$)`, although the input has only those that are named; else null. */
      whole: string | null;
      /** The numbers that JSONata rounds when it reads them, and where they end. */
      longNumbers: { digits: string; position: number }[];
      /** Variables and functions that the expression neither declares nor has. */
      unknownVariables: string[];
    };

const DIGITS_MAX = 400;
const UNKNOWN: JsonataResult = { names: [], whole: null, longNumbers: [], unknownVariables: [] };

/** Parses a JSONata expression and lists the names that are certainly names of steps. */
export function readJsonata(expression: string): JsonataResult {
  try {
    const names: NamedStep[] = [];
    const ast = jsonata(expression).ast();
    collect(ast, names);
    return {
      names,
      whole: findWhole(ast, true),
      longNumbers: findLongNumbers(ast, expression),
      unknownVariables: findUnknownVariables(ast),
    };
  } catch (error) {
    // Of an expression that is nested too deeply, the stack says nothing about its syntax.
    if (error instanceof RangeError || !isJsonObject(error)) return UNKNOWN;
    const { message, position } = error as { message?: unknown; position?: unknown };
    if (typeof message !== "string") return UNKNOWN;
    return { problem: { message, position: typeof position === "number" ? position : null } };
  }
}

/** The tree has only the rounded numbers, so the digits are read from the expression. */
function findLongNumbers(node: unknown, expression: string): { digits: string; position: number }[] {
  if (Array.isArray(node)) return node.flatMap((item) => findLongNumbers(item, expression));
  if (!isJsonObject(node)) return [];
  const { type, value, position } = node;
  if (type !== "number" || typeof value !== "number" || typeof position !== "number") {
    return Object.values(node).flatMap((part) => findLongNumbers(part, expression));
  }
  const [digits] = /\d{16,400}$/.exec(expression.slice(Math.max(0, position - DIGITS_MAX), position)) ?? [];
  return digits !== undefined && isRounded(digits) ? [{ digits, position }] : [];
}

/** The parts of an expression that have the same context as the whole. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  binary: ["lhs", "rhs"],
  apply: ["lhs", "rhs"],
  unary: ["expressions", "expression", "lhs"],
  bind: ["rhs"],
  condition: ["condition", "then", "else"],
  block: ["expressions"],
  function: ["arguments"],
};

/** Collects from the parts whose context is the whole input. Inside a path or a function, names can mean anything. */
function collect(node: unknown, names: NamedStep[]): void {
  if (!isJsonObject(node)) return;
  if (node.type === "path") collectPath(Array.isArray(node.steps) ? node.steps : [], names);
  for (const key of PARTS[String(node.type)] ?? []) {
    const part = node[key];
    for (const item of Array.isArray(part) ? part.flat() : [part]) collect(item, names);
  }
}

function collectPath([first, ...rest]: unknown[], names: NamedStep[]): void {
  if (!isJsonObject(first)) return;
  const isRoot = first.type === "variable" && (first.value === "$" || first.value === "") && isPlain(first);
  if (isRoot) collectPath(rest, names);
  else if (first.type === "name") names.push({ name: String(first.value), path: namesAfter(first, rest) });
  else collect(first, names);
}

/** The fields that follow a step, up to the first that is more than a name. */
function namesAfter(first: Record<string, unknown>, rest: readonly unknown[]): string[] {
  const path: string[] = [];
  let before = first;
  for (const step of rest) {
    if (!isPlain(before) || !isJsonObject(step) || step.type !== "name") break;
    path.push(String(step.value));
    before = step;
  }
  return path;
}

/** A step with a filter, a group or a variable changes what the next name means. */
function isPlain(step: Record<string, unknown>): boolean {
  return ["stages", "predicate", "group", "focus", "index"].every((key) => step[key] === undefined);
}

/** Functions that read every field of an object, or its whole text. */
const ENUMERATING: ReadonlySet<unknown> = new Set(
  "keys each spread sift string merge map filter reduce count".split(" "),
);

/**
 * Finds what reads every field of the input. `$$` is the input everywhere; `$`, `*` and `**` mean it only where the context
 * is the input.
 */
function findWhole(node: unknown, isRoot: boolean): string | null {
  if (Array.isArray(node)) return firstWhole(node, isRoot);
  if (!isJsonObject(node)) return null;
  const own = wholeAt(node, isRoot);
  if (own !== null) return own;
  const parts = PARTS[String(node.type)] ?? [];
  return firstWhole(
    Object.entries(node).map(([key, value]) => findWhole(value, isRoot && parts.includes(key))),
    false,
  );
}

function firstWhole(parts: readonly unknown[], isRoot: boolean): string | null {
  for (const part of parts) {
    const found = typeof part === "string" ? part : findWhole(part, isRoot);
    if (found !== null) return found;
  }
  return null;
}

function wholeAt(node: Record<string, unknown>, isRoot: boolean): string | null {
  if (isRoot && isWildcard(node)) return String(node.value);
  if (node.type === "path" && Array.isArray(node.steps)) {
    const [first, second] = node.steps.filter(isJsonObject);
    if (isRoot && first !== undefined && isWildcard(first)) return String(first.value);
    if (isInput(first, isRoot) && isWildcard(second)) return `${signOf(first)}.${String(second?.value)}`;
  }
  const called = node.type === "apply" ? node.rhs : node;
  const given = node.type === "apply" ? [node.lhs] : node.arguments;
  if (!isJsonObject(called) || called.type !== "function" || !Array.isArray(given)) return null;
  const name = isJsonObject(called.procedure) ? called.procedure.value : null;
  const whole = given.find((argument) => isInput(argument, isRoot));
  return whole !== undefined && ENUMERATING.has(name) ? `$${String(name)}(${signOf(whole)})` : null;
}

function isWildcard(node: unknown): boolean {
  return isJsonObject(node) && (node.type === "wildcard" || node.type === "descendant");
}

function isInput(node: unknown, isRoot: boolean): node is Record<string, unknown> {
  if (!isJsonObject(node) || node.type !== "variable" || !isPlain(node)) return false;
  return node.value === "$" || (isRoot && node.value === "");
}

function signOf({ value }: Record<string, unknown>): string {
  return `$${String(value)}`;
}

const FUNCTIONS: ReadonlySet<string> = new Set(JSONATA_FUNCTIONS);

/**
 * Lists the variables of a JSONata expression that nothing declares, which are nothing at run time. A name that is declared
 * anywhere counts as declared everywhere, so what is found is certain.
 * @param ast as jsonata parses it
 */
function findUnknownVariables(ast: unknown): string[] {
  const used = new Set<string>();
  const declared = new Set<string>();
  const open: unknown[] = [ast];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (isJsonObject(next)) {
      const { type, value, lhs, arguments: parameters, focus, index } = next;
      if (type === "variable" && typeof value === "string") used.add(value);
      if (type === "bind" && isJsonObject(lhs)) declared.add(String(lhs.value));
      if (type === "lambda" && Array.isArray(parameters)) {
        for (const one of parameters) if (isJsonObject(one)) declared.add(String(one.value));
      }
      for (const name of [focus, index]) if (typeof name === "string") declared.add(name);
    }
    open.push(...Object.values(next).filter((inner) => inner !== undefined));
  }
  // `$` is the context, and `$$` the input.
  return [...used].filter((name) => name !== "" && name !== "$" && !declared.has(name) && !FUNCTIONS.has(name));
}
