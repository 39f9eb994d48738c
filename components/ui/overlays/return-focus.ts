const FLOATING = "[role=dialog],[role=alertdialog],[role=menu],[role=listbox][data-state]";

const OPEN_DIALOG = "[role=dialog][data-state=open],[role=alertdialog][data-state=open]";

let lastOnPage: HTMLElement | null = null;

/** Call once where all pages stand: from then on the last focus on the page itself is known. */
export function trackPageFocus(): () => void {
  function remember(event: FocusEvent) {
    if (event.target instanceof HTMLElement && event.target.closest(FLOATING) === null) lastOnPage = event.target;
  }
  document.addEventListener("focusin", remember);
  return () => document.removeEventListener("focusin", remember);
}

/**
 * Gives the focus back when a dialog closes that no trigger of its own had opened: to what had it on the page, or to
 * the page's content when that is gone, as a deleted row is. For `onCloseAutoFocus`.
 */
export function returnFocus(event: Event): void {
  event.preventDefault();
  // The next dialog of a chain, or the one below, keeps the focus or gets it.
  const open = [...document.querySelectorAll<HTMLElement>(OPEN_DIALOG)].at(-1);
  if (open !== undefined) {
    if (!open.contains(document.activeElement)) open.focus();
    return;
  }
  const target = lastOnPage?.isConnected ? lastOnPage : document.getElementById("content");
  target?.focus({ preventScroll: true });
}
