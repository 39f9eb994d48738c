import type { DraftSession } from "@/components/canvas/store/open-draft";

/** The editor states by step, of each open workflow. */
const memories = new WeakMap<DraftSession, Map<string, unknown>>();

/**
 * Keeps the caret and the undo history of the code of a step while its editor is closed, or moves to the full-size step
 * and back.
 */
export function memoryOf(session: DraftSession): Map<string, unknown> {
  const memory = memories.get(session) ?? new Map<string, unknown>();
  memories.set(session, memory);
  return memory;
}
