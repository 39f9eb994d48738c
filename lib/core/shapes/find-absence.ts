import { membersOf, type Shape } from "#lib/core/shapes/shape";

/** Why a path can lead to nothing: the key at a position can be left out, or the value before it can be null. */
export interface Absence {
  kind: "optional" | "null";
  at: number;
}

/**
 * Finds the first place at which a path can lead to nothing although the shape declares it. What a shape leaves open, such
 * as the items of a list or the fields of an open object, is not reported: everything could be missing there.
 */
export function findAbsence(shape: Shape, path: readonly (string | number)[]): Absence | null {
  let current: ReadonlySet<Shape> = new Set(membersOf(shape));
  for (const [at, key] of path.entries()) {
    if (canBeNull(current)) return { kind: "null", at };
    const next = new Set<Shape>();
    for (const member of current) {
      const found = readDeclared(member, key);
      if (found?.isOptional) return { kind: "optional", at };
      for (const one of found === null ? [] : membersOf(found.shape)) next.add(one);
    }
    if (next.size === 0) return null;
    current = next;
  }
  return canBeNull(current) ? { kind: "null", at: path.length } : null;
}

function canBeNull(members: ReadonlySet<Shape>): boolean {
  return [...members].some(({ kind }) => kind === "null");
}

function readDeclared(shape: Shape, key: string | number) {
  if (shape.kind === "array") return { shape: shape.items, isOptional: false };
  return shape.kind === "object" ? (shape.fields.get(String(key)) ?? null) : null;
}
