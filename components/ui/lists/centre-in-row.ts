/** For the chosen one of a row that scrolls sideways: brings it into sight. A ref, so that it follows the choice. */
export function centreInRow(element: HTMLElement | null): void {
  const row = element?.parentElement;
  if (element === null || !row || row.scrollWidth <= row.clientWidth) return;
  const [place, frame] = [element.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += place.left - frame.left - (frame.width - place.width) / 2;
}
