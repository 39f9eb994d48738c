import jsonata from "jsonata";
import { isJsonObject } from "#lib/support/json";

/** A step that an expression names, with the fields that it reads from it. */
export interface NamedStep {
  name: string;
  path: string[];
}

export type JsonataResult = { problem: { message: string; position: number | null } } | { names: NamedStep[] };

/** Parses a JSONata expression and lists the names that are certainly names of steps. */
export function readJsonata(expression: string): JsonataResult {
  try {
    const names: NamedStep[] = [];
    collect(jsonata(expression).ast(), names);
    return { names };
  } catch (error) {
    // Of an expression that is nested too deeply, the stack says nothing about its syntax.
    if (error instanceof RangeError || !isJsonObject(error)) return { names: [] };
    const { message, position } = error as { message?: unknown; position?: unknown };
    if (typeof message !== "string") return { names: [] };
    return { problem: { message, position: typeof position === "number" ? position : null } };
  }
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
  const isRoot = first.type === "variable" && first.value === "$" && isPlain(first);
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
