/** A JSON object or list: a quoted name, another bracket, or a comment comes first. */
const JSON_START = /^\s*[[{]\s*(?:["[{]|\/[/*])/;
/** What can come before a comment: not a colon, which comes before the slashes of a URL in YAML. */
const BEFORE = /[\s,[\]{}]/;

/**
 * Finds the first comment in a text that is JSON otherwise.
 * @returns its place, from 1; null if there is none
 */
export function findJsonComment(text: string): { line: number; column: number } | null {
  if (!JSON_START.test(text)) return null;
  let [line, lineStart] = [1, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\n") {
      line += 1;
      lineStart = at + 1;
    } else if (character === '"') {
      at = endOfText(text, at);
    } else if (character === "/" && /[/*]/.test(text[at + 1] ?? "") && BEFORE.test(text[at - 1] ?? " ")) {
      return { line, column: at - lineStart + 1 };
    }
  }
  return null;
}

/** JSON texts end on their line. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
    else if (text[at] === "\n") return at - 1;
  }
  return text.length;
}
