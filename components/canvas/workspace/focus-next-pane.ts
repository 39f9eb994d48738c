/** What a pane offers the focus first: the active row of its tree, then a field, then anything else. */
const TARGETS = [
  "[role=treeitem][tabindex='0']",
  "[data-form] :is(input,textarea,select,[contenteditable=true])",
  "[role=tabpanel] :is(input,textarea,select,[contenteditable=true])",
  "button:not(:disabled):not([tabindex='-1'])",
];

/**
 * Moves the focus from one pane of a workspace to the next, as F6 does between the panes of a window.
 * @returns false if there is no other pane
 */
export function focusNextPane(workspace: HTMLElement, isBackwards: boolean): boolean {
  const panes = [...workspace.querySelectorAll<HTMLElement>("[data-pane]")];
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes.at((Math.max(at, isBackwards ? 0 : -1) + (isBackwards ? -1 : 1)) % panes.length);
  if (next === undefined || panes.length < 2) return false;
  for (const target of TARGETS) {
    const element = next.querySelector<HTMLElement>(target);
    if (element === null) continue;
    element.focus();
    return true;
  }
  return false;
}
