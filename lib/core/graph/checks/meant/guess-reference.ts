import type { GraphNode } from "#lib/contract/workflow/graph";
import { writePath } from "#lib/core/expressions/write-expression";
import type { GraphIndex } from "#lib/core/graph/edges";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";

/** What an expression can read from its position. */
export interface Sight {
  index: GraphIndex;
  shapes: NodeShapes;
  visible: ReadonlySet<string>;
  /** The steps that provide the current item, the innermost first. */
  loopIds: readonly string[];
}

type Path = readonly (string | number)[];

/** What other engines write before the name of a step: `steps.fetch.body`. */
export const STEPS_WORDS: ReadonlySet<string> = new Set(
  "steps step nodes node outputs output results context ctx data vars".split(" "),
);
/** What they call what the workflow was started with: `input.email`. */
const INPUTS = new Set(
  "input inputs params parameters args arguments body payload request data event action trigger action_input query json item webhook hook message".split(
    " ",
  ),
);
/** What they call the current item of a list: `item.name`, `loop.item`, `$item`. */
const ITEMS = new Set("item items this current currentitem element it each loop value".split(" "));
/** What they write between a step and its output: `fetch.output.body`. */
const WRAPPERS = new Set("output outputs result results json data response value item body input".split(" "));

/**
 * Guesses which path a name from another engine, or of an input without its step, means. Only a path that exists is
 * returned.
 * @returns the path without braces; null if there is no certain one
 */
export function guessReference(sight: Sight, name: string, path: Path): string | null {
  for (const [head, rest] of candidatesOf(sight, name, path)) {
    for (const steps of [rest, withoutWrapper(rest)]) {
      if (steps !== null && canRead(sight, head, steps)) return writePath(head, steps);
    }
  }
  return null;
}

/** Returns the path without a part that does not exist, such as `output` of `fetch.output.body`; null if that is none. */
export function dropWrapper(shapes: NodeShapes, name: string, path: Path, at: number): string | null {
  if (!WRAPPERS.has(String(path[at]).toLowerCase()) || at === path.length - 1) return null;
  const rest = [...path.slice(0, at), ...path.slice(at + 1)];
  return shapes.read({ name, path: rest })?.kind === "found" ? writePath(name, rest) : null;
}

/** What an event has besides its body, which no step can read. */
const NOT_IN_EVENT = new Set(["headers", "query", "method", "params", "output"]);

/** Returns the path in the body of an event that a path next to it means, such as `trigger.email`; null if there is none. */
export function guessInEvent(index: GraphIndex, shapes: NodeShapes, node: GraphNode, path: Path): string | null {
  if (node !== index.entry || STEP_KINDS[node.type].starts !== "event_driven" || NOT_IN_EVENT.has(String(path[0])))
    return null;
  return guessReference(
    { index, shapes, visible: new Set([node.id]), loopIds: [] },
    "event",
    withoutWrapper(path) ?? path,
  );
}

function* candidatesOf({ index, visible, loopIds }: Sight, name: string, path: Path): Generator<[string, Path]> {
  const { entry } = index;
  const [first, ...rest] = path;
  const word = name.toLowerCase();
  const entryName = entry?.type ?? null;
  if (STEPS_WORDS.has(word) && typeof first === "string" && (visible.has(first) || first === entryName)) {
    yield [first === entry?.id && entryName !== null ? entryName : first, rest];
  }
  const [loopId] = loopIds;
  if (loopId !== undefined && ITEMS.has(word)) {
    if (first === "item" || first === "index") yield [loopId, path];
    yield [loopId, ["item", ...path]];
  }
  if (loopId !== undefined && word === "index" && path.length === 0) yield [loopId, ["index"]];
  if (entry === null || entryName === null || !visible.has(entry.id)) return;
  const base = entryName === "trigger" ? ["output", "body"] : [];
  if (INPUTS.has(word) && path.length > 0) yield [entryName, [...base, ...withoutOwn(path, base)]];
  if (declaresInput(entry, name)) yield [entryName, [name, ...path]];
}

/** `trigger.body.email` and `event.output.body.email` name parts of the place that the base already has. */
function withoutOwn(path: Path, base: Path): Path {
  let rest = path;
  for (const key of base) if (rest[0] === key) rest = rest.slice(1);
  return rest.length === 0 ? path : rest;
}

function withoutWrapper(path: Path): Path | null {
  const [first, ...rest] = path;
  return rest.length > 0 && WRAPPERS.has(String(first).toLowerCase()) ? rest : null;
}

function canRead({ index, shapes, visible, loopIds }: Sight, name: string, path: Path): boolean {
  const isSeen = name === index.entry?.type || visible.has(name) || loopIds.includes(name);
  return isSeen && shapes.read({ name, path })?.kind === "found";
}

/** Returns true if the caller's input declares a property. */
export function declaresInput({ type, data }: GraphNode, name: string): boolean {
  if (STEP_KINDS[type].starts !== "callable" || !Array.isArray(data.properties)) return false;
  return data.properties.some((property) => isJsonObject(property) && property.name === name);
}
