import { editDistance } from "#lib/support/nearest-names";

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
