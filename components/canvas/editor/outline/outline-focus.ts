import type { KeyboardEvent } from "react";

/** Up and down walk through all rows of the outline, whatever list they are in. */
export function moveOutlineFocus(event: KeyboardEvent<HTMLElement>): void {
  const distance = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (distance === undefined) return;
  event.preventDefault();
  const rows = [...(event.currentTarget.closest("nav")?.querySelectorAll<HTMLElement>("[data-outline-row]") ?? [])];
  const at = rows.indexOf(event.currentTarget);
  rows[Math.min(rows.length - 1, Math.max(0, at + distance))]?.focus();
}
