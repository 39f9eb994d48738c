/**
 * A row of tabs. A finger scrolls it. Under a mouse it wraps, because a scroll bar would cover the tabs. Its line is a
 * shadow (`shadow-row`): the tabs cover the line without reaching out of the row, which would scroll it.
 */
export const TAB_ROW = "flex shrink-0 overflow-x-auto [scrollbar-width:none] pointer-fine:flex-wrap";

/** Scrolls the selected element of a horizontal row into view. Used as a ref, so that it follows the selection. */
export function centreInRow(element: HTMLElement | null): void {
  const row = element?.parentElement;
  if (element === null || !row || row.scrollWidth <= row.clientWidth) return;
  const [place, frame] = [element.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += place.left - frame.left - (frame.width - place.width) / 2;
}
