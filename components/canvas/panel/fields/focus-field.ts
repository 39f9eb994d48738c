/** Focuses the control of a field, or of what holds it; without a field, the first control of the form. */
export function focusField(panel: HTMLElement | null, field: string | null): void {
  if (panel === null) return;
  const control = field === null ? firstControl(panel) : (findControl(panel, field) ?? firstControl(panel));
  const details = control?.closest("details");
  if (details) details.open = true;
  control?.focus({ preventScroll: true });
  control?.scrollIntoView({ block: "nearest" });
}

/** params.body.items.0 has no control of its own: params.body holds it. */
function findControl(panel: HTMLElement, field: string): HTMLElement | null {
  const parts = field.split(".");
  for (let length = parts.length; length > 0; length -= 1) {
    const name = CSS.escape(parts.slice(0, length).join("."));
    const control = panel.querySelector<HTMLElement>(`[data-field="${name}"]`);
    if (control !== null) return control;
  }
  return null;
}

/** A field before a button: the first button of a list removes its first item. What is below the form is no part of it. */
function firstControl(panel: HTMLElement): HTMLElement | null {
  const form = panel.querySelector("[data-form]") ?? panel.querySelector("[role=tabpanel]");
  const field = form?.querySelector<HTMLElement>(":is(input,textarea,select):not(:disabled)");
  return (
    field ?? form?.querySelector<HTMLElement>("button:not(:disabled)") ?? panel.querySelector<HTMLElement>("input")
  );
}

/** Gives the focus back to a part of the panel whose focused control has just gone; where somebody else has it, it stays. */
export function keepFocusIn(part: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    part?.querySelector<HTMLElement>(":is(input,textarea,select,button):not(:disabled)")?.focus();
  });
}
