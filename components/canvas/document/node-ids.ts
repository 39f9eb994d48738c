import { NODE_ID_PATTERN } from "#lib/contract/graph";
import { ENTRY_NAMES } from "#lib/core/steps/step-kinds";

const ID_LENGTH_MAX = 64;
/** Room for a suffix such as _128 on the longest base. */
const BASE_LENGTH_MAX = 58;

/** An id as expressions want it, from a name people gave: "Create refund?" is create_refund. Empty when no letter or digit of ASCII is left. */
export function idFromName(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  if (words === "") return "";
  const base = (/^[0-9]/.test(words) ? `step_${words}` : words).slice(0, BASE_LENGTH_MAX).replace(/_+$/, "");
  // `action_input` and `trigger` always mean the entry node, whatever its id (decisions, The graph document).
  return ENTRY_NAMES.includes(base) ? `${base}_step` : base;
}

/** `base`, or the first free of base_2, base_3 and so on. */
export function nextFreeId(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  for (let suffix = 2; ; suffix += 1) {
    const id = `${base}_${suffix}`;
    if (!taken.has(id)) return id;
  }
}

/** True when `nextFreeId(base)` could have returned `id`, so that no one chose it by hand. */
export function isAutomaticId(id: string, base: string): boolean {
  return id === base || (id.startsWith(`${base}_`) && /^[0-9]+$/.test(id.slice(base.length + 1)));
}

/** Why a typed id cannot be used; null when it can. */
export function idRefusal(id: string, taken: ReadonlySet<string>): string | null {
  if (id === "") return "Type an id.";
  if (id.length > ID_LENGTH_MAX) return "64 characters at most.";
  if (!NODE_ID_PATTERN.test(id)) return "Letters, digits and _ only, not starting with a digit.";
  if (taken.has(id)) return `Another step is called ${id}.`;
  if (ENTRY_NAMES.includes(id)) return `${id} always means the first step.`;
  return null;
}
