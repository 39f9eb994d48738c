/**
 * Focuses the control of a field, or of the field that contains it; without a field, focuses the first control of the
 * form.
 */
export function focusField(panel: HTMLElement | null, field: string | null): void {
  if (panel === null) return;
  const control = field === null ? firstControl(panel) : (findControl(panel, field) ?? firstControl(panel));
  const details = control?.closest("details");
  if (details) details.open = true;
  control?.focus({ preventScroll: true });
  control?.scrollIntoView({ block: "nearest" });
}

/** params.body.items.0 has no control of its own; params.body contains it. */
function findControl(panel: HTMLElement, field: string): HTMLElement | null {
  const parts = field.split(".");
  for (let length = parts.length; length > 0; length -= 1) {
    const name = CSS.escape(parts.slice(0, length).join("."));
    const control = panel.querySelector<HTMLElement>(`[data-field="${name}"]`);
    if (control !== null) return control;
  }
  return null;
}

/**
 * Prefers a field over a button, because the first button of a list removes its first item. Elements below the form are
 * not part of it.
 */
function firstControl(panel: HTMLElement): HTMLElement | null {
  const form = panel.querySelector("[data-form]") ?? panel.querySelector("[role=tabpanel]");
  const field = form?.querySelector<HTMLElement>(":is(input,textarea,select):not(:disabled)");
  return (
    field ?? form?.querySelector<HTMLElement>("button:not(:disabled)") ?? panel.querySelector<HTMLElement>("input")
  );
}

/**
 * Returns the focus to a part of the panel after its focused control was removed. Leaves the focus alone if another
 * element has it.
 */
export function keepFocusIn(part: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    part?.querySelector<HTMLElement>(":is(input,textarea,select,button):not(:disabled)")?.focus();
  });
}
