import { type DragEvent, type KeyboardEvent, type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import { ENTRIES } from "@/components/canvas/panel/fields/focus-field";
import type { RowKeys } from "@/components/canvas/panel/fields/use-row-keys";

type Item = Record<string, unknown>;

interface OrderedItems {
  noun: string;
  items: readonly Item[];
  list: RefObject<HTMLUListElement | null>;
  rows: RowKeys;
  set: (items: Item[]) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** Moves the items of a list, by dragging its handle or with the arrow keys on it. */
export function useItemOrder({ noun, items, list, rows, set }: OrderedItems) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const rowAt = (index: number) => list.current?.children[index];
  function move(from: number, to: number) {
    if (to === from || to < 0 || to >= items.length) return;
    rows.move(from, to);
    flushSync(() => {
      const next = [...items];
      next.splice(to, 0, ...next.splice(from, 1));
      set(next);
      setAnnouncement(`Moved to ${noun} ${to + 1} of ${items.length}.`);
    });
    // A row that moves in the document loses the focus.
    rowAt(to)?.querySelector<HTMLElement>("[data-grip]")?.focus();
  }
  return {
    announcement,
    /** Adds an item in the middle and focuses its first field. */
    insert: (at: number, item: Item) => {
      rows.insert(at);
      flushSync(() => set(items.toSpliced(at, 0, item)));
      rowAt(at)?.querySelector<HTMLElement>(ENTRIES)?.focus();
    },
    gripAt: (index: number) => ({
      "data-grip": "",
      draggable: true,
      onDragStart: (event: DragEvent<HTMLElement>) => {
        event.dataTransfer.effectAllowed = "move";
        const row = event.currentTarget.closest("li");
        if (row !== null) event.dataTransfer.setDragImage(row, row.clientWidth - 20, 12);
        setDragged(index);
      },
      onDragEnd: () => setDragged(null),
      onKeyDown: (event: KeyboardEvent) => {
        const step = STEPS[event.key];
        if (step === undefined) return;
        event.preventDefault();
        move(index, index + step);
      },
    }),
    /** A list takes only its own items. */
    dropsAt: (index: number) => ({
      onDragOver: (event: DragEvent) => {
        if (dragged !== null) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        if (dragged === null) return;
        event.preventDefault();
        setDragged(null);
        move(dragged, index);
      },
    }),
  };
}
