import { z } from "zod";
import { type CanvasNote, canvasNotesSchema } from "#lib/contract/canvas-note";
import { definitionSchema } from "#lib/core/steps/definition-schema";

const localCopySchema = z.object({
  revision: z.number(),
  name: z.string(),
  definition: definitionSchema,
  notes: canvasNotesSchema.default([]),
});

/** A draft that the server has not acknowledged, and the revision it is based on. */
export type LocalCopy = z.output<typeof localCopySchema>;

const keyOf = (workflowId: string) => `signalbox.draft.${workflowId}`;

/** Returns this browser's copy of a workflow's draft; null when there is none or it is unreadable. */
export function readLocalCopy(workflowId: string): LocalCopy | null {
  try {
    const text = localStorage.getItem(keyOf(workflowId));
    return text === null ? null : localCopySchema.parse(JSON.parse(text));
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
