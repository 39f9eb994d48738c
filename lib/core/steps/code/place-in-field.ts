/** A place in a text, both from 1. The column is null if it is not known. */
export interface FieldPlace {
  line: number;
  column: number | null;
}

/** Returns the words before a problem at a place in a field, such as `source line 2, column 11: `. */
export function placeInField(field: string, { line, column }: FieldPlace): string {
  return `${field} line ${line}${column === null ? "" : `, column ${column}`}: `;
}

/** Returns the words of a problem without its step and place, for readers who see both already. */
export function withoutPlace(message: string, field: string, place: FieldPlace): string {
  const words = placeInField(field, place);
  const start = message.indexOf(words);
  return start === -1 ? message : message.slice(start + words.length);
}
