import type { KeyboardEvent } from "react";

/** Moves the focus up or down through all rows of the outline, across nested lists. */
export function moveOutlineFocus(event: KeyboardEvent<HTMLElement>): void {
  const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (distance === undefined) return;
  event.preventDefault();
  const rows = [...(event.currentTarget.closest("nav")?.querySelectorAll<HTMLElement>("[data-outline-row]") ?? [])];
  const at = rows.indexOf(event.currentTarget);
  rows[Math.min(rows.length - 1, Math.max(0, at + distance))]?.focus();
}
