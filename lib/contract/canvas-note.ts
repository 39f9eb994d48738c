import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";

/** Names of tints, not of meanings: what a colour stands for is up to those who draw. */
export const NOTE_COLORS = ["yellow", "blue", "green", "violet", "grey"] as const;
export type NoteColor = (typeof NOTE_COLORS)[number];

/** The hyphen keeps a note's id apart from every step's. */
const NOTE_ID_PATTERN = /^note-[a-z0-9-]{1,60}$/;

const size = z.int().min(LIMITS.noteSizeMin).max(LIMITS.noteSizeMax);

/** What a person wrote beside the steps: plain text, with its place and size in CSS pixels at zoom 1. */
const canvasNoteSchema = z.object({
  id: z.string().regex(NOTE_ID_PATTERN, "must be note- and up to 60 of a-z, 0-9 and -"),
  text: z.string().max(LIMITS.noteCharacters),
  color: z.enum(NOTE_COLORS).default("yellow"),
  position: z.object({ x: z.number(), y: z.number() }),
  width: size,
  height: size,
});
export type CanvasNote = z.infer<typeof canvasNoteSchema>;

/** The notes of a draft. They stand beside its definition: no version holds them, no run and no agent reads them. */
export const canvasNotesSchema = z
  .array(canvasNoteSchema)
  .max(LIMITS.canvasNotes)
  .refine((notes) => new Set(notes.map(({ id }) => id)).size === notes.length, "holds an id twice");
