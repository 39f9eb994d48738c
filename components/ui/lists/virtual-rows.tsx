"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";

interface VirtualRowsProps {
  count: number;
  keyOf: (index: number) => string;
  /** In pixels, until it is measured. */
  rowHeight: number;
  label: string;
  /** This row is brought into view whenever it becomes another one. */
  shownIndex?: number | null;
  children: (index: number) => ReactNode;
}

const OVERSCAN = 12;

/** A list of any length of which only what is on the screen is in the page. It grows up to most of the screen's height. */
export function VirtualRows({ count, keyOf, rowHeight, label, shownIndex = null, children }: VirtualRowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    overscan: OVERSCAN,
  });
  useEffect(() => {
    if (shownIndex !== null) virtualizer.scrollToIndex(shownIndex, { align: "center" });
  }, [shownIndex, virtualizer]);
  return (
    <div ref={box} className="max-h-[70dvh] overflow-y-auto">
      <ul aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => (
          <li
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            aria-setsize={count}
            aria-posinset={item.index + 1}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {children(item.index)}
          </li>
        ))}
      </ul>
    </div>
  );
}
