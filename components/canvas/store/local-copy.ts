import { z } from "zod";
import { type CanvasNote, canvasNotesSchema } from "#lib/contract/canvas-note";
import { definitionSchema } from "#lib/core/steps/definition-schema";

const localCopySchema = z.object({
  revision: z.number(),
  name: z.string(),
  definition: definitionSchema,
  notes: canvasNotesSchema.default([]),
});

/** A draft the server has not acknowledged, and the revision it was made from. */
export type LocalCopy = z.output<typeof localCopySchema>;

const keyOf = (workflowId: string) => `signalbox.draft.${workflowId}`;

/** The copy this browser keeps of a workflow; null when there is none, or none that can be read. */
export function readLocalCopy(workflowId: string): LocalCopy | null {
  try {
    const text = localStorage.getItem(keyOf(workflowId));
    return text === null ? null : localCopySchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Storage may be full or forbidden: then the open page is the only copy, as it would be without this. */
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
    // Nothing was kept, so nothing stays behind.
  }
}
