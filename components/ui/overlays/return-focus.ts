const FLOATING = "[role=dialog],[role=alertdialog],[role=menu],[role=listbox][data-state]";

const OPEN_DIALOG = "[role=dialog][data-state=open],[role=alertdialog][data-state=open]";

let lastOnPage: HTMLElement | null = null;

/** Remembers the last focused element of the page itself. Call it once, around all pages. */
export function trackPageFocus(): () => void {
  function remember(event: FocusEvent) {
    if (event.target instanceof HTMLElement && event.target.closest(FLOATING) === null) lastOnPage = event.target;
  }
  document.addEventListener("focusin", remember);
  return () => document.removeEventListener("focusin", remember);
}

/**
 * Returns the focus when a dialog without its own trigger closes: to the element of the page that had it, or to the
 * page's content if that element is gone, as a deleted row is. For `onCloseAutoFocus`.
 */
export function returnFocus(event: Event): void {
  event.preventDefault();
  // The next dialog of a chain, or the one below, keeps or gets the focus.
  const open = [...document.querySelectorAll<HTMLElement>(OPEN_DIALOG)].at(-1);
  if (open !== undefined) {
    if (!open.contains(document.activeElement)) open.focus();
    return;
  }
  const target = lastOnPage?.isConnected ? lastOnPage : document.getElementById("content");
  target?.focus({ preventScroll: true });
}
