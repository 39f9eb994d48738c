/** Scrolls the selected element of a horizontal row into view. Used as a ref, so that it follows the selection. */
export function centreInRow(element: HTMLElement | null): void {
  const row = element?.parentElement;
  if (element === null || !row || row.scrollWidth <= row.clientWidth) return;
  const [place, frame] = [element.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += place.left - frame.left - (frame.width - place.width) / 2;
}
