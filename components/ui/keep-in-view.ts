/** Scrolls the active option of a list into view. Use it as the option's ref. */
export function keepInView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
