import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from "react";
import type { DataContext, DataNode } from "@/components/canvas/panel/data/data-node";
import { listTreeRows, type OpenNodes, searchTree, type TreeRow } from "@/components/canvas/panel/data/tree-rows";

const HANDLED = new Set(["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End", "Enter", " "]);
const NOTHING_CHANGED: OpenNodes = new Map();
/** Letters typed within this time belong to one word. */
const TYPING_MS = 600;

export interface TreeState {
  rows: readonly TreeRow[];
  /** The index of the row that keys act on. */
  active: number;
  /** How many values a search found; null without a search. */
  found: number | null;
  isComplete: boolean;
  activate: (node: DataNode) => void;
  toggle: (row: TreeRow) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface TreeActions {
  onUse: (node: DataNode) => void;
  /** Opens a list of objects as a table, if the node is one. */
  onTable: (node: DataNode) => void;
}

/** Keeps which rows of a tree are open and active, and handles the keys of the tree pattern of WAI-ARIA. */
export function useTree(context: DataContext, search: string, actions: TreeActions): TreeState {
  const [open, setOpen] = useState<OpenNodes>(NOTHING_CHANGED);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const wanted = useDeferredValue(search.trim());
  const result = useMemo(() => (wanted === "" ? null : searchTree(context, wanted)), [context, wanted]);
  const rows = useMemo(() => listTreeRows(context, open, result), [context, open, result]);
  const active = Math.max(
    0,
    rows.findIndex((row) => row.node.key === activeKey),
  );
  const findTyped = useTypeAhead(rows, active);

  function toggle({ node, isOpen }: TreeRow) {
    if (isOpen !== null) setOpen((before) => new Map([...before, [node.key, !isOpen]]));
  }
  function go(index: number) {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (row !== undefined) setActiveKey(row.node.key);
  }
  function press({ key, shiftKey }: KeyboardEvent, row: TreeRow): void {
    if (key === "ArrowDown") go(active + 1);
    else if (key === "ArrowUp") go(active - 1);
    else if (key === "Home") go(0);
    else if (key === "End") go(rows.length - 1);
    else if (key === "ArrowRight") row.isOpen === true ? go(active + 1) : toggle(row);
    else if (key === "ArrowLeft") row.isOpen === true ? toggle(row) : go(row.parent === -1 ? active : row.parent);
    else if (key === "Enter" && shiftKey) actions.onTable(row.node);
    else if (key === "Enter" && row.node.expression !== null) actions.onUse(row.node);
    else toggle(row);
  }
  function onKeyDown(event: KeyboardEvent) {
    const row = rows[active];
    if (event.altKey || event.ctrlKey || event.metaKey || row === undefined) return;
    if (HANDLED.has(event.key)) press(event, row);
    else if (event.key.length === 1) go(findTyped(event));
    // On the canvas, these keys delete the selected step.
    else if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
  }
  const found = result === null ? null : result.hits.size;
  const activate = (node: DataNode) => setActiveKey(node.key);
  return { rows, active, found, isComplete: result?.isComplete ?? true, activate, toggle, onKeyDown };
}

/** Finds the next row whose name starts with the letters that were just typed. */
function useTypeAhead(rows: readonly TreeRow[], active: number): (event: KeyboardEvent) => number {
  const typed = useRef({ word: "", at: 0 });
  return ({ key, timeStamp }) => {
    const isContinued = timeStamp - typed.current.at < TYPING_MS;
    const word = (isContinued ? typed.current.word : "") + key.toLowerCase();
    typed.current = { word, at: timeStamp };
    // A first letter moves on from a row that starts with it; a longer word can still be the row's own.
    const first = isContinued ? active : active + 1;
    const order = [...rows.keys()].map((at) => (first + at) % rows.length);
    return order.find((at) => rows[at]?.node.label.toLowerCase().startsWith(word)) ?? active;
  };
}
