/** A field that takes references: the expression field that had the focus last. */
export interface InsertTarget {
  /** Inserts at the caret and focuses the field. */
  insert: (expression: string) => void;
  isIn: (part: Element) => boolean;
}

let target: InsertTarget | null = null;
const mounted = new Set<InsertTarget>();

/** Must be called when a field is mounted. Returns what must be called when it is unmounted. */
export function mountInserts(own: InsertTarget): () => void {
  mounted.add(own);
  return () => {
    mounted.delete(own);
    if (target === own) target = null;
  };
}

/** Makes a field the target. It stays the target when it loses the focus, until another field takes over. */
export function takeInserts(own: InsertTarget): void {
  target = own;
}

/**
 * Makes the first field in a part of the page the target, unless the target is in it already: a user who names a value
 * wants the next reference in that value.
 */
export function takeInsertsIn(part: Element): void {
  if (target?.isIn(part)) return;
  target = [...mounted].find((field) => field.isIn(part)) ?? target;
}

/**
 * Inserts a reference into the expression field that had the focus last, at its caret.
 * @param expression with its braces: `{{action_input.order_id}}`
 * @returns false if there is no such field
 */
export function insertReference(expression: string): boolean {
  target?.insert(expression);
  return target !== null;
}

const DRAG_TYPE = "application/x-signalbox-reference";

/**
 * Puts a reference into a drag, for `onDragStart`. An expression field takes it where the pointer drops it; every other
 * text field takes its text.
 */
export function dragReference(data: DataTransfer, expression: string): void {
  data.setData(DRAG_TYPE, expression);
  data.setData("text/plain", expression);
  data.effectAllowed = "copy";
}

/** Returns the reference that is dropped, or null if something else is. */
export function draggedReference(data: DataTransfer): string | null {
  return data.getData(DRAG_TYPE) || null;
}
