import { NODE_ID_PATTERN } from "#lib/contract/workflow/node-id";
import { ENTRY_NAMES } from "#lib/core/steps/step-kinds";

const ID_LENGTH_MAX = 64;
/** Leaves room for a suffix such as _128 after the longest base. */
const BASE_LENGTH_MAX = 58;

/**
 * Converts a user-given name to an id that expressions accept: "Create refund?" becomes create_refund. Empty when the
 * name has no ASCII letter or digit.
 */
export function idFromName(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  if (words === "") return "";
  const base = (/^[0-9]/.test(words) ? `step_${words}` : words).slice(0, BASE_LENGTH_MAX).replace(/_+$/, "");
  // `action_input` and `trigger` always mean the entry node, regardless of its id (decisions, The graph document).
  return ENTRY_NAMES.includes(base) ? `${base}_step` : base;
}

/** Returns true when `nextFreeName(base)` could have returned `id`, so the id was probably not chosen by hand. */
export function isAutomaticId(id: string, base: string): boolean {
  return id === base || (id.startsWith(`${base}_`) && /^[0-9]+$/.test(id.slice(base.length + 1)));
}

/** Returns why a typed id can't be used, or null when it can. */
export function idRefusal(id: string, taken: ReadonlySet<string>): string | null {
  if (id === "") return "Enter an ID.";
  if (id.length > ID_LENGTH_MAX) return "Use at most 64 characters.";
  if (!NODE_ID_PATTERN.test(id)) return "Use letters, digits and _, and don't start with a digit.";
  if (taken.has(id)) return `Another step already has the ID ${id}.`;
  if (ENTRY_NAMES.includes(id)) return `${id} is reserved for the first step.`;
  return null;
}
