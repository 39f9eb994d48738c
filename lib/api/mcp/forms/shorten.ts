import { z } from "zod";
import { unlisted } from "#lib/api/mcp/mcp-schemas";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** The part that means all of them, as in `view: "full"`. */
export const ALL = "all";

/** The `parts` of a tool whose short answer has no parts to add. */
export const allInput = unlisted(z.array(z.enum([ALL])).optional());

/** The fields that say nothing unless they are true. */
const FLAGS: ReadonlySet<string> = new Set(["dry_run", "reused", "truncated", "idempotent_replayed"]);

/** Returns the object without the named fields, without nulls, and without flags that are not set. */
export function leaveOut<Value extends object>(value: Value, names: readonly (keyof Value)[] = []): JsonObject {
  const hidden = new Set<PropertyKey>(names);
  const kept = Object.entries(value).filter(([name, field]) => {
    if (hidden.has(name) || field === null || field === undefined) return false;
    return field !== false || !FLAGS.has(name);
  });
  return Object.fromEntries(kept);
}

/** A field that an answer does not contain because it would be too long. */
interface LeftOut {
  field: string;
  characters: number;
  /** How many items of a list the answer contains. */
  shown?: number;
}

/**
 * Shortens an answer that is too long for the clients of agents: takes items from its longest list, or leaves out its
 * longest field, until the rest fits, and lists in `left_out` what is missing.
 * @param asked the fields that the caller requested by name; they stay, however long they are
 */
export function fitAnswer(answer: JsonObject, asked: readonly string[] = []): JsonObject {
  if (asked.includes(ALL)) return answer;
  const sizes = new Map(Object.entries(answer).map(([name, value]) => [name, JSON.stringify(value)?.length ?? 0]));
  let size = [...sizes.values()].reduce((sum, length) => sum + length, 0);
  for (const name of asked) {
    size -= sizes.get(name) ?? 0;
    sizes.delete(name);
  }
  if (size <= LIMITS.toolAnswerCharacters) return answer;
  const fitted = { ...answer };
  const leftOut: LeftOut[] = [];
  for (const [field, characters] of [...sizes].toSorted(([, a], [, b]) => b - a)) {
    if (size <= LIMITS.toolAnswerCharacters) break;
    const room = Math.max(0, LIMITS.toolAnswerCharacters - (size - characters));
    const value = fitted[field];
    if (Array.isArray(value)) {
      const shown = takeFitting(value, room);
      fitted[field] = shown;
      leftOut.push({ field, characters, shown: shown.length });
      size += JSON.stringify(shown).length - characters;
    } else {
      delete fitted[field];
      leftOut.push({ field, characters });
      size -= characters;
    }
  }
  return { ...fitted, left_out: leftOut };
}

/** Returns the first items of a list that fit. */
export function takeFitting<Item>(items: readonly Item[], characters: number): Item[] {
  let left = characters;
  const end = items.findIndex((item) => {
    left -= (JSON.stringify(item)?.length ?? 0) + 1;
    return left < 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}
