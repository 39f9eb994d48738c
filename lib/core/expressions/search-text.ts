/**
 * The engine's own search takes up to 0.2 ns for each pair of characters of the two texts, so this many take 20 ms. Two
 * hostile texts of 1 MiB would take minutes.
 */
const MAX_PAIRS = 100_000_000;
/** For parts up to this length, the engine's own search is never slower than the linear one. */
const SHORT_PART = 32;

/** Returns true if the text contains the part, in time linear to both even for hostile texts. */
export function containsText(text: string, part: string): boolean {
  if (part.length > text.length) return false;
  if (text.length * part.length <= MAX_PAIRS) return text.includes(part);
  return findLinear(text, part, 0, bordersOf(part)) !== -1;
}

/** Returns where the part occurs in the text, without overlaps, in time linear to both even for hostile texts. */
export function positionsOf(text: string, part: string): number[] {
  if (part === "") return [];
  const borders = part.length <= SHORT_PART ? null : bordersOf(part);
  const find = (from: number) => (borders === null ? text.indexOf(part, from) : findLinear(text, part, from, borders));
  const positions: number[] = [];
  for (let at = find(0); at !== -1; at = find(at + part.length)) positions.push(at);
  return positions;
}

/** The search of Knuth, Morris and Pratt: after a mismatch, it continues with the longest start that still fits. */
function findLinear(text: string, part: string, from: number, borders: Int32Array): number {
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && code !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (code === part.charCodeAt(matched)) matched += 1;
    if (matched === part.length) return at + 1 - part.length;
  }
  return -1;
}

/** For each prefix of the part, the length of the longest text that it both starts and ends with. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at += 1) {
    const code = part.charCodeAt(at);
    while (length > 0 && code !== part.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (code === part.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  return borders;
}
