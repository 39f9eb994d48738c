import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useRef } from "react";

interface NearRows<E extends HTMLElement> {
  /** The element that scrolls. */
  box: RefObject<E | null>;
  /** The indexes of the rows to render. */
  near: readonly number[];
  /** In pixels. */
  height: number;
}

/** Up to this many rows are all rendered; of more, only those near the visible part. */
const LONG = 120;
const OVERSCAN = 15;

/**
 * Decides which rows of equal height a scrolling list renders. The active row is always among them, so that
 * `aria-activedescendant` leads to it.
 * @param active brought into view whenever it becomes another one; -1 for none
 * @param headerHeight the height of a header that stays at the top of the box, in pixels
 */
export function useNearRows<E extends HTMLElement = HTMLDivElement>(
  count: number,
  rowHeight: number,
  active: number,
  headerHeight = 0,
): NearRows<E> {
  const box = useRef<E>(null);
  const isLong = count > LONG;
  const virtualizer = useVirtualizer({
    count: isLong ? count : 0,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  });
  const shown = useRef(active);
  useLayoutEffect(() => {
    const element = box.current;
    if (active === shown.current || active === -1 || element === null) return;
    shown.current = active;
    const top = active * rowHeight;
    const visible = element.clientHeight - headerHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + visible) element.scrollTop = top + rowHeight - visible;
  }, [active, rowHeight, headerHeight]);
  const all = isLong
    ? virtualizer.getVirtualItems().map(({ index }) => index)
    : Array.from({ length: count }, (_, at) => at);
  const isActiveLeft = active >= 0 && active < count && !all.includes(active);
  return { box, near: isActiveLeft ? [...all, active].sort((a, b) => a - b) : all, height: count * rowHeight };
}
