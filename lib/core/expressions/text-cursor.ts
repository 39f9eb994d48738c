export interface Cursor {
  text: string;
  at: number;
}

const SPACE = /\s*/y;

/** Moves the cursor past the match of a sticky pattern, or leaves it unchanged if nothing matches. */
export function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const match = pattern.exec(cursor.text);
  if (match) cursor.at = pattern.lastIndex;
  return match;
}

export function skipSpace(cursor: Cursor): void {
  take(cursor, SPACE);
}

/** Moves the cursor past spaces and the text, or only past the spaces if something else follows. */
export function takeText(cursor: Cursor, text: string): boolean {
  skipSpace(cursor);
  if (!cursor.text.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}
