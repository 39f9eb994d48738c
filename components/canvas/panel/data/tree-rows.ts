import { childNodes, type DataContext, type DataNode, rootNode } from "@/components/canvas/panel/data/data-node";

/** One line of the tree. */
export interface TreeRow {
  node: DataNode;
  /** 1 for a step. */
  level: number;
  /** The position among its siblings, from 1, and their number. */
  position: number;
  setSize: number;
  /** Null for a value with nothing inside. */
  isOpen: boolean | null;
  /** The index of the row that contains it; -1 for a step. */
  parent: number;
}

/** Which values are open, by key, if they differ from their initial state. */
export type OpenNodes = ReadonlyMap<string, boolean>;

/** The rows of a search, by key. */
export interface SearchResult {
  /** The hits and everything around them. */
  shown: ReadonlySet<string>;
  /** The hits without another hit inside; the user can open them and see everything in them. */
  hits: ReadonlySet<string>;
  /** False if the search stopped before it had looked at everything. */
  isComplete: boolean;
}

/** Up to this many steps are open at first; of more, only the nearest. */
const OPEN_STEPS = 6;
/** A search looks at this many values, so that a key press in the search field stays fast with megabytes of data. */
const SEARCHED_MAX = 20_000;

/** Returns the lines of the tree from top to bottom, without what is inside closed ones. */
export function listTreeRows(context: DataContext, open: OpenNodes, search: SearchResult | null): TreeRow[] {
  const rows: TreeRow[] = [];
  const visit = (siblings: readonly DataNode[], parent: number, level: number, isInHit: boolean): void => {
    const shown = search === null || isInHit ? siblings : siblings.filter(({ key }) => search.shown.has(key));
    for (const [at, node] of shown.entries()) {
      const isHit = isInHit || search?.hits.has(node.key) === true;
      const isOpen = node.hasChildren ? (open.get(node.key) ?? isOpenAtFirst(node, { at, siblings, search })) : null;
      rows.push({ node, level, position: at + 1, setSize: shown.length, isOpen, parent });
      if (isOpen === true) visit(childNodes(context, node), rows.length - 1, level + 1, isHit);
    }
  };
  visit(context.steps.map(rootNode), -1, 1, false);
  return rows;
}

interface Surroundings {
  at: number;
  siblings: readonly DataNode[];
  search: SearchResult | null;
}

/** The nearest steps are open, a value that is the only one, such as an event's `output`, and its body. */
function isOpenAtFirst(node: DataNode, { at, siblings, search }: Surroundings): boolean {
  if (search !== null) return search.shown.has(node.key) && !search.hits.has(node.key);
  switch (node.path.length) {
    case 0:
      return at < OPEN_STEPS;
    case 1:
      return siblings.length === 1;
    default:
      return node.path.length === 2 && siblings.filter(({ hasChildren }) => hasChildren).length === 1;
  }
}

/** Finds the names and values that contain the text, ignoring case. What contains a hit is shown, too. */
export function searchTree(context: DataContext, text: string): SearchResult {
  const wanted = text.trim().toLowerCase();
  const shown = new Set<string>();
  const hits = new Set<string>();
  let left = SEARCHED_MAX;
  const look = (node: DataNode): boolean => {
    left -= 1;
    const isHit = isMatch(node, wanted);
    if (isHit) hits.add(node.key);
    let isShown = isHit;
    if (node.hasChildren) {
      for (const child of childNodes(context, node)) {
        if (left <= 0) break;
        if (look(child)) {
          isShown = true;
          hits.delete(node.key);
        }
      }
    }
    if (isShown) shown.add(node.key);
    return isShown;
  };
  for (const step of context.steps) if (left > 0) look(rootNode(step));
  return { shown, hits, isComplete: left > 0 };
}

function isMatch({ label, path, step, value, description }: DataNode, wanted: string): boolean {
  const words = path.length === 0 ? [label, step.label] : [label, description];
  const isLeaf = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return [...words, ...(isLeaf ? [String(value)] : [])].some((word) => word.toLowerCase().includes(wanted));
}
