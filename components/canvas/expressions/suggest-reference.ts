/** Returns the known expression that a broken one most likely means, or null when none is close. */
export function suggestReference(broken: string, known: readonly string[]): string | null {
  const wanted = stripBraces(broken);
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(wanted.length * 0.4)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, stripBraces(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function stripBraces(expression: string): string {
  return expression.replace(/^\{\{\s*|\s*\}\}$/g, "");
}

/** Computes the Levenshtein distance; stops and returns `limit` as soon as the result can't be smaller. */
function editDistance(a: string, b: string, limit: number): number {
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
