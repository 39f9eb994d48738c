/** Longer names are not compared: the cost is the product of both lengths. */
const NAME_CHARACTERS = 200;

/**
 * Returns the known names that a wrong one most likely means, nearest first. Upper case, `_`, `-` and spaces do not count:
 * `orderId` means `order_id`.
 */
export function nearestNames(wrong: string, known: Iterable<string>, most = 3): string[] {
  if (wrong.length > NAME_CHARACTERS) return [];
  const wanted = plain(wrong);
  // Of a name with three letters, two that differ say nothing.
  const limit = Math.max(wanted.length > 3 ? 2 : 1, Math.floor(wanted.length * 0.4)) + 1;
  const near: { name: string; distance: number }[] = [];
  for (const name of known) {
    if (name.length > NAME_CHARACTERS) continue;
    const other = plain(name);
    const distance = editDistance(wanted, other, limit);
    // Two names that share no letter are not alike, however short they are.
    if (distance < limit && distance < Math.max(wanted.length, other.length)) near.push({ name, distance });
  }
  return near
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_\-\s]/g, "");
}

/** Computes the Levenshtein distance; stops and returns `limit` as soon as the result can't be smaller. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
    if (Math.min(...row) >= limit) return limit;
  }
  return row[b.length] ?? limit;
}

/**
 * Returns the known name that a wrong one certainly means: they differ only in upper case and separators, or by one letter
 * (of long names two), and no other name is as near. Null if there is none.
 */
export function certainName(wrong: string, known: Iterable<string>): string | null {
  const [first, second] = nearestNames(wrong, known, 2);
  if (first === undefined) return null;
  const wanted = plain(wrong);
  const limit = Math.max(wanted.length, plain(first).length) + 1;
  const distance = editDistance(wanted, plain(first), limit);
  const isNear = distance <= (wanted.length >= 8 ? 2 : wanted.length >= 4 ? 1 : 0) || isSwapped(wanted, plain(first));
  return isNear && (second === undefined || editDistance(wanted, plain(second), limit) > distance) ? first : null;
}

/** Returns true if two neighboring letters changed places. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length || a.length < 3) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at !== -1 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
