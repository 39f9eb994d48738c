import type { z } from "zod";
import type { CanvasNote } from "#lib/contract/workflow/canvas-note";
import type { localCopySchema } from "@/components/canvas/store/local-copy-schema";

/** A draft that the server has not acknowledged, and the revision it is based on. */
export type LocalCopy = z.output<typeof localCopySchema>;

const keyOf = (workflowId: string) => `signalbox.draft.${workflowId}`;

/** Returns this browser's copy of a workflow's draft as it was stored; null when there is none. */
export function findLocalCopy(workflowId: string): string | null {
  try {
    return localStorage.getItem(keyOf(workflowId));
  } catch {
    return null;
  }
}

/**
 * Reads a stored copy; null if it is unreadable. The schema loads on demand, because there is rarely a copy.
 * @throws when the schema cannot be loaded: the copy must not be lost for that
 */
export async function readLocalCopy(text: string): Promise<LocalCopy | null> {
  const { localCopySchema } = await import("@/components/canvas/store/local-copy-schema");
  try {
    return localCopySchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Storage may be full or blocked; then the draft exists only in the open page, as it would without this copy. */
export function writeLocalCopy(
  workflowId: string,
  copy: Readonly<Omit<LocalCopy, "notes"> & { notes: readonly CanvasNote[] }>,
): void {
  try {
    localStorage.setItem(keyOf(workflowId), JSON.stringify(copy));
  } catch {
    removeLocalCopy(workflowId);
  }
}

export function removeLocalCopy(workflowId: string): void {
  try {
    localStorage.removeItem(keyOf(workflowId));
  } catch {
    // If nothing could be stored, there is nothing to remove.
  }
}
