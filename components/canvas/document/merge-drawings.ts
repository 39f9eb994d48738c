import { LIMITS } from "#lib/contract/limits";
import type { Orientation } from "#lib/contract/workflow/canvas-choices";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { Definition, GraphEdge } from "#lib/contract/workflow/graph";
import { canonicalJson } from "#lib/support/json";

/** Everything that is saved under one revision. */
export interface Drawing {
  name: string;
  definition: Definition;
  notes: readonly CanvasNote[];
  orientation: Orientation;
}

/** Thrown when both users changed the same thing, so only a person can decide. */
class Clash extends Error {}

/**
 * Merges two drawings made from the same base, keeping the changes of both. Returns null if both changed the same step,
 * note or name, or if one removed something that the other builds on. When both moved a step, my position wins.
 */
export function mergeDrawings(base: Drawing, mine: Drawing, theirs: Drawing): Drawing | null {
  if (mine.definition === base.definition && mine.notes === base.notes && isSameLook(mine, base)) return theirs;
  try {
    const nodes = mergeLists(base.definition.nodes, mine.definition.nodes, theirs.definition.nodes, mergePlaced);
    const edges = mergeLists(base.definition.edges, mine.definition.edges, theirs.definition.edges, pick);
    const notes = mergeLists(base.notes, mine.notes, theirs.notes, mergePlaced);
    const definition = { nodes, edges: withoutTwins(edges) };
    if (!isWhole(definition) || notes.length > LIMITS.canvasNotes) return null;
    const orientation = pick(base.orientation, mine.orientation, theirs.orientation);
    return { name: pick(base.name, mine.name, theirs.name), definition, notes, orientation };
  } catch (error) {
    if (error instanceof Clash) return null;
    throw error;
  }
}

function isSameLook(mine: Drawing, base: Drawing): boolean {
  return mine.name === base.name && mine.orientation === base.orientation;
}

type MergeOne<T> = (base: T | undefined, mine: T | undefined, theirs: T | undefined) => T | undefined;

/** My items in my order, then the items that only they have. */
function mergeLists<T extends { id: string }>(
  base: readonly T[],
  mine: readonly T[],
  theirs: readonly T[],
  mergeOne: MergeOne<T>,
): T[] {
  const [was, own, other] = [base, mine, theirs].map((list) => new Map(list.map((item) => [item.id, item])));
  const ids = new Set([...mine, ...theirs].map(({ id }) => id));
  return [...ids].flatMap((id) => mergeOne(was?.get(id), own?.get(id), other?.get(id)) ?? []);
}

const isSame = (a: unknown, b: unknown) => a === b || canonicalJson(a) === canonicalJson(b);

/** Returns the side that differs from the base. */
function pick<T>(base: T, mine: T, theirs: T): T {
  if (isSame(mine, theirs) || isSame(theirs, base)) return mine;
  if (isSame(mine, base)) return theirs;
  throw new Clash();
}

interface Placed {
  position: object;
  parentId?: string | undefined;
}

/** Merges position and content separately: one user may move a step that the other changes or removes. */
function mergePlaced<T extends Placed>(base?: T, mine?: T, theirs?: T): T | undefined {
  const content = pick(unplaced(base), unplaced(mine), unplaced(theirs));
  if (content === undefined) return undefined;
  const chosen = isSame(unplaced(mine), content) ? mine : theirs;
  const hasMoved = mine !== undefined && !isSame(mine.position, base?.position);
  const moved = hasMoved ? mine : (theirs ?? mine);
  // A position inside a loop is relative to the loop's corner, so it can't be compared with a position outside the
  // loop.
  const place = moved?.parentId === chosen?.parentId ? moved : chosen;
  return chosen === undefined || place === undefined ? chosen : { ...chosen, position: place.position };
}

function unplaced<T extends { position: object }>(item: T | undefined): object | undefined {
  if (item === undefined) return undefined;
  const { position: _place, ...content } = item;
  return content;
}

/** Two users who drew the same line gave it two different ids. */
function withoutTwins(edges: readonly GraphEdge[]): GraphEdge[] {
  const wayOf = ({ source, sourceHandle, target }: GraphEdge) => JSON.stringify([source, sourceHandle ?? null, target]);
  return [...new Map(edges.toReversed().map((edge) => [wayOf(edge), edge])).values()].toReversed();
}

/** Returns false if a line or a node in a loop refers to a node that no longer exists. */
function isWhole({ nodes, edges }: Definition): boolean {
  const ids = new Set(nodes.map(({ id }) => id));
  return (
    nodes.length <= LIMITS.graphNodes &&
    edges.length <= LIMITS.graphEdges &&
    edges.every(({ source, target }) => ids.has(source) && ids.has(target)) &&
    nodes.every(({ parentId }) => parentId === undefined || ids.has(parentId))
  );
}
