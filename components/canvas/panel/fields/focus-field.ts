/** The controls that a user fills in; those with `data-aside` are shortcuts that fill in others. */
export const ENTRIES = ":is(input,textarea,select):not(:disabled,[data-aside]),[role=textbox][contenteditable=true]";

/**
 * Focuses the control of a field, or of the field that contains it; without a field, focuses the first control of the
 * form.
 * @param options.isFresh true for a step that was just added: the first control that is still empty comes first
 */
export function focusField(panel: HTMLElement | null, field: string | null, { isFresh = false } = {}): void {
  if (panel === null) return;
  const first = () => (isFresh ? firstEmpty(panel) : undefined) ?? firstControl(panel);
  const control = field === null ? first() : (findControl(panel, field) ?? first());
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

/** A list of choices is empty only while none is chosen that must be. */
function firstEmpty(panel: HTMLElement): HTMLElement | undefined {
  const entries = panel.querySelector("[data-form]")?.querySelectorAll<HTMLElement>(ENTRIES) ?? [];
  return [...entries].find((entry) => {
    if (entry.closest("details:not([open])") !== null) return false;
    if (entry instanceof HTMLInputElement) return entry.type === "text" && entry.value === "";
    if (entry instanceof HTMLSelectElement) return entry.value === "" && entry.dataset.optional === undefined;
    if (entry instanceof HTMLTextAreaElement) return entry.value === "";
    return entry.querySelector(".cm-placeholder") !== null || entry.textContent === "";
  });
}

/**
 * Prefers a field over a button, because the first button of a list removes its first item. Elements below the form are
 * not part of it.
 */
function firstControl(panel: HTMLElement): HTMLElement | null {
  const form = panel.querySelector("[data-form]") ?? panel.querySelector("[role=tabpanel]");
  const field = form?.querySelector<HTMLElement>(ENTRIES);
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
    part?.querySelector<HTMLElement>(`${ENTRIES},button:not(:disabled)`)?.focus();
  });
}
