import type { PropertyType } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { Reference } from "#lib/core/expressions/expression";
import { rewritePaths } from "#lib/core/expressions/rewrite-paths";
import { writeExpression, writePath } from "#lib/core/expressions/write-expression";
import { mapTexts } from "#lib/core/graph/edits/rewrite-references";
import type { NodeShapes } from "#lib/core/graph/node-shapes";
import { membersOf, type Shape } from "#lib/core/shapes/shape";

/** A value that crosses the border between two workflows. */
export interface CarriedValue {
  /** The name of its property, or of its key in `data`. */
  name: string;
  /** Null if its type is not certain, or if it can be absent. Such values travel together in the object `data`. */
  type: PropertyType | null;
  /** The expression that reads it on its own side. */
  expression: string;
}

/** The object that carries the values without a certain type: a property of an action has exactly one type. */
export const DATA_PROPERTY = "data";

export interface Carried {
  values: readonly CarriedValue[];
  /** Returns where the other side reads a value, below the name of the step that provides it. */
  pathOf: (reference: Pick<Reference, "name" | "path">) => (string | number)[] | null;
}

interface Crossing {
  reference: Reference;
  named: GraphNode;
}

/** @param isCertain true if the step has an output whenever the value is read */
export function carryValues(
  crossings: readonly Crossing[],
  shapes: NodeShapes,
  { isCertain, typedMax }: { isCertain: (named: GraphNode) => boolean; typedMax: number },
): Carried {
  const values = new Map<string, CarriedValue>();
  const taken = new Set<string>([DATA_PROPERTY]);
  let typed = 0;
  for (const { reference, named } of crossings) {
    const written = writePath(reference.name, reference.path);
    if (values.has(written)) continue;
    const result = shapes.read(reference);
    const isThere = isCertain(named) && result?.kind === "found" && !result.canBeAbsent;
    const type = isThere && typed < typedMax ? typeOf(result.shape) : null;
    if (type !== null) typed += 1;
    const name = chooseName(reference, named, taken);
    taken.add(name);
    values.set(written, { name, type, expression: writeExpression(reference.name, reference.path) });
  }
  return {
    values: [...values.values()],
    pathOf: ({ name, path }) => {
      const value = values.get(writePath(name, path));
      if (value === undefined) return null;
      return value.type === null ? [DATA_PROPERTY, value.name] : [value.name];
    },
  };
}

/** The values as the other side gets them: typed ones by name, the others together. */
export function carriedObject(values: readonly CarriedValue[]): Record<string, unknown> {
  const [typed, others] = splitValues(values);
  const own = Object.fromEntries(typed.map(({ name, expression }) => [name, expression]));
  if (others.length === 0) return own;
  return { ...own, [DATA_PROPERTY]: Object.fromEntries(others.map(({ name, expression }) => [name, expression])) };
}

/** The properties that declare the values. */
export function carriedProperties(values: readonly CarriedValue[]): { name: string; type: PropertyType }[] {
  const [typed, others] = splitValues(values);
  const own = typed.flatMap(({ name, type }) => (type === null ? [] : [{ name, type }]));
  return others.length === 0 ? own : [...own, { name: DATA_PROPERTY, type: "object" as const }];
}

function splitValues(values: readonly CarriedValue[]): [CarriedValue[], CarriedValue[]] {
  return [values.filter(({ type }) => type !== null), values.filter(({ type }) => type === null)];
}

/** Rewrites every expression of a node that reads a carried value. */
export function readCarried(node: GraphNode, from: string, { pathOf }: Carried): GraphNode {
  const data = mapTexts(node.data, (text) =>
    text.includes("{{")
      ? rewritePaths(text, (reference, written) => {
          const path = pathOf(reference);
          return path === null ? written : writePath(from, path);
        })
      : text,
  );
  return data === node.data ? node : { ...node, data };
}

function typeOf(shape: Shape): PropertyType | null {
  const types = new Set(
    membersOf(shape).map((member) => {
      if (member.kind === "scalar") return member.type;
      return member.kind === "array" || member.kind === "object" ? member.kind : null;
    }),
  );
  const [only = null] = types;
  return types.size === 1 ? only : null;
}

const NAME_LENGTH_MAX = 60;

/** The last name of the path, with the step's in front if two are the same. */
function chooseName({ path }: Reference, named: GraphNode, taken: ReadonlySet<string>): string {
  const last = path.findLast((key) => typeof key === "string" && key !== "output");
  const words = [last, last === undefined ? named.id : `${named.id}_${last}`].flatMap((name) => {
    const word = String(name ?? "")
      .replace(/[^A-Za-z0-9_]+/g, "_")
      .replace(/^(?=\d)/, "_")
      .slice(0, NAME_LENGTH_MAX);
    return word === "" || word === "__proto__" ? [] : [word];
  });
  const free = words.find((word) => !taken.has(word));
  if (free !== undefined) return free;
  const base = words.at(-1) ?? "value";
  for (let suffix = 2; ; suffix += 1) if (!taken.has(`${base}_${suffix}`)) return `${base}_${suffix}`;
}
