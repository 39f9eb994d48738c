import type { CanvasNote } from "#lib/contract/canvas-note";
import type { Definition, GraphEdge } from "#lib/contract/graph";
import { LIMITS } from "#lib/contract/limits";
import { canonicalJson } from "#lib/support/json";

/** Everything that is saved under one revision. */
export interface Drawing {
  name: string;
  definition: Definition;
  notes: readonly CanvasNote[];
}

/** Both changed the same: no machine can say what is right. */
class Clash extends Error {}

/**
 * What becomes of two drawings that were made from one: the work of both. Null where they changed the same step, note or
 * name, or where one took away what the other builds on. Of a step that both moved, mine stays.
 */
export function mergeDrawings(base: Drawing, mine: Drawing, theirs: Drawing): Drawing | null {
  if (mine.definition === base.definition && mine.notes === base.notes && mine.name === base.name) return theirs;
  try {
    const nodes = mergeLists(base.definition.nodes, mine.definition.nodes, theirs.definition.nodes, mergePlaced);
    const edges = mergeLists(base.definition.edges, mine.definition.edges, theirs.definition.edges, pick);
    const notes = mergeLists(base.notes, mine.notes, theirs.notes, mergePlaced);
    const definition = { nodes, edges: withoutTwins(edges) };
    if (!isWhole(definition) || notes.length > LIMITS.canvasNotes) return null;
    return { name: pick(base.name, mine.name, theirs.name), definition, notes };
  } catch (error) {
    if (error instanceof Clash) return null;
    throw error;
  }
}

type MergeOne<T> = (base: T | undefined, mine: T | undefined, theirs: T | undefined) => T | undefined;

/** Mine in my order, then what only they have. */
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

/** Whichever of the two is not as it was. */
function pick<T>(base: T, mine: T, theirs: T): T {
  if (isSame(mine, theirs) || isSame(theirs, base)) return mine;
  if (isSame(mine, base)) return theirs;
  throw new Clash();
}

interface Placed {
  position: object;
  parentId?: string | undefined;
}

/** Position and content are merged separately: one user may move what the other changes or removes. */
function mergePlaced<T extends Placed>(base?: T, mine?: T, theirs?: T): T | undefined {
  const content = pick(unplaced(base), unplaced(mine), unplaced(theirs));
  if (content === undefined) return undefined;
  const chosen = isSame(unplaced(mine), content) ? mine : theirs;
  const hasMoved = mine !== undefined && !isSame(mine.position, base?.position);
  const moved = hasMoved ? mine : (theirs ?? mine);
  // A place inside a loop counts from the loop's corner: it says nothing about a place outside of it.
  const place = moved?.parentId === chosen?.parentId ? moved : chosen;
  return chosen === undefined || place === undefined ? chosen : { ...chosen, position: place.position };
}

function unplaced<T extends { position: object }>(item: T | undefined): object | undefined {
  if (item === undefined) return undefined;
  const { position: _place, ...content } = item;
  return content;
}

/** Two who drew the same line gave it two ids. */
function withoutTwins(edges: readonly GraphEdge[]): GraphEdge[] {
  const wayOf = ({ source, sourceHandle, target }: GraphEdge) => JSON.stringify([source, sourceHandle ?? null, target]);
  return [...new Map(edges.toReversed().map((edge) => [wayOf(edge), edge])).values()].toReversed();
}

/** False where a line, or a loop's body, has lost what it hangs on. */
function isWhole({ nodes, edges }: Definition): boolean {
  const ids = new Set(nodes.map(({ id }) => id));
  return (
    nodes.length <= LIMITS.graphNodes &&
    edges.length <= LIMITS.graphEdges &&
    edges.every(({ source, target }) => ids.has(source) && ids.has(target)) &&
    nodes.every(({ parentId }) => parentId === undefined || ids.has(parentId))
  );
}
