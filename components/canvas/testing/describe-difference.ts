import type { GraphChanges } from "#lib/contract/action/publish";
import { formatCount } from "#lib/support/format/format-number";

/** Returns "2 steps changed, 1 step added", or null if nothing differs. */
export function describeDifference(changes: GraphChanges): string | null {
  const { added, removed, changed, lines_added: linesAdded, lines_removed: linesRemoved } = changes;
  const parts = [
    count(changed.length, "step", "changed"),
    count(added.length, "step", "added"),
    count(removed.length, "step", "removed"),
    count(linesAdded + linesRemoved, "line", "changed"),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}

function count(number: number, noun: string, word: string): string | null {
  return number === 0 ? null : `${formatCount(number, noun)} ${word}`;
}
