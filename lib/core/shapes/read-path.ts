import { membersOf, type Shape, UNKNOWN, unionShape } from "#lib/core/shapes/shape";

/** A path that leads nowhere: the position of the key that does not exist, and the value that has no such key. */
export interface DeadEnd {
  at: number;
  of: Shape;
}

/** What a path leads to. */
export type PathResult =
  | { kind: "found"; shape: Shape; canBeAbsent: boolean }
  /** The value certainly does not exist. */
  | ({ kind: "missing" } & DeadEnd)
  /** An open object does not declare the key, but can have it. */
  | ({ kind: "undeclared" } & DeadEnd);

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/**
 * Follows a path as `getPath` does at run time. Whatever the shape leaves open counts as found: only a certain mistake is
 * `missing`. All alternatives take each step together, so the time is linear in the path.
 */
export function readPath(shape: Shape, path: readonly (string | number)[]): PathResult {
  let current: ReadonlySet<Shape> = new Set(membersOf(shape));
  let canBeAbsent = false;
  for (const [at, key] of path.entries()) {
    const next = new Set<Shape>();
    let hasUndeclared = false;
    for (const member of current) {
      const found = readKey(member, key);
      if (found === null || found.isUndeclared) canBeAbsent = true;
      if (found?.isUndeclared) hasUndeclared = true;
      else if (found !== null) {
        canBeAbsent ||= found.isOptional;
        for (const one of membersOf(found.shape)) next.add(one);
      }
    }
    if (next.size === 0) return { kind: hasUndeclared ? "undeclared" : "missing", at, of: unionShape(current) };
    current = next;
  }
  canBeAbsent ||= [...current].some(({ kind }) => kind === "null");
  return { kind: "found", shape: unionShape(current), canBeAbsent };
}

/** @returns null if the value has no such key */
function readKey(shape: Shape, key: string | number) {
  switch (shape.kind) {
    case "unknown":
      return { shape: UNKNOWN, isOptional: false, isUndeclared: false };
    case "array":
      return typeof key === "number" || INDEX.test(key)
        ? { shape: shape.items, isOptional: false, isUndeclared: false }
        : null;
    case "object": {
      const field = shape.fields.get(String(key));
      if (field !== undefined) return { shape: field.shape, isOptional: field.isOptional, isUndeclared: false };
      if (shape.rest === null) return null;
      return { shape: shape.rest, isOptional: true, isUndeclared: shape.fields.size > 0 };
    }
    default:
      return null;
  }
}
