import { Annotation, type Extension } from "@codemirror/state";
import { type EditorView, tooltips } from "@codemirror/view";

/** Marks changes from outside, such as undo on the canvas or another version, which are not reported as typed. */
export const FROM_OUTSIDE = Annotation.define<true>();

/**
 * Renders lists and messages outside of the panel, which clips what overlaps its edge. Inside a dialog they stay in the
 * dialog, because everything outside of it can't be clicked.
 */
export function floatingTooltips(holder: HTMLElement): Extension {
  const parent = holder.closest<HTMLElement>("[role=dialog]") ?? document.body;
  return tooltips({ parent, position: "fixed" });
}

/** Sets an attribute of the element that has the focus while the user types; null removes it. */
export function setContentAttribute(view: EditorView, name: string, value: string | null): void {
  if (value === null) view.contentDOM.removeAttribute(name);
  else view.contentDOM.setAttribute(name, value);
}
