"use client";

import { type RefObject, useRef } from "react";
import { useShortcuts } from "@/components/shell/shortcuts";

/**
 * Arrow keys move through the rows' links, which Enter opens; X selects the focused row. Rows carry `data-row={id}`.
 */
export function useListKeys(onToggle: ((id: string) => void) | null): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  function move(step: 1 | -1): boolean {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("tr[data-row] a[data-row-link]") ?? [])];
    const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
    const next = at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step;
    const target = links[next];
    target?.focus();
    return target !== undefined;
  }
  function toggle(): boolean {
    const row = document.activeElement?.closest<HTMLElement>("tr[data-row]");
    const id = row?.dataset.row;
    if (!id || onToggle === null || !list.current?.contains(row)) return false;
    onToggle(id);
    return true;
  }
  useShortcuts({ arrowdown: () => move(1), arrowup: () => move(-1), x: toggle });
  return list;
}
