import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { NOTE_COLORS } from "#lib/contract/workflow/canvas-choices";

/** The hyphen distinguishes a note's id from all step ids. */
const NOTE_ID_PATTERN = /^note-[a-z0-9-]{1,60}$/;

const size = z.int().min(LIMITS.noteSizeMin).max(LIMITS.noteSizeMax);

/** A note next to the steps: plain text, with its position and size in CSS pixels at zoom 1. */
const canvasNoteSchema = z.object({
  id: z.string().regex(NOTE_ID_PATTERN, "must be note- followed by up to 60 characters of a-z, 0-9 and -"),
  text: z.string().max(LIMITS.noteCharacters),
  color: z.enum(NOTE_COLORS).default("yellow"),
  position: z.object({ x: z.number(), y: z.number() }),
  width: size,
  height: size,
});
export type CanvasNote = z.infer<typeof canvasNoteSchema>;

/**
 * The notes of a draft. They are stored next to its definition, but no version contains them, and no run or agent reads
 * them.
 */
export const canvasNotesSchema = z
  .array(canvasNoteSchema)
  .max(LIMITS.canvasNotes)
  .refine((notes) => new Set(notes.map(({ id }) => id)).size === notes.length, "contains an id twice");
