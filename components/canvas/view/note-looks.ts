import type { NoteColor } from "#lib/contract/workflow/canvas-choices";

/** A note's tint and border; the text color is the same on all of them. */
export const NOTE_LOOKS: Record<NoteColor, string> = {
  yellow: "bg-warn-bg border-warn/40",
  blue: "bg-run-bg border-run/40",
  green: "bg-ok-bg border-ok/40",
  violet: "bg-wait-bg border-wait/40",
  grey: "bg-idle-bg border-idle/40",
};

export const NOTE_COLOR_WORDS: Record<NoteColor, string> = {
  yellow: "Yellow",
  blue: "Blue",
  green: "Green",
  violet: "Violet",
  grey: "Gray",
};
