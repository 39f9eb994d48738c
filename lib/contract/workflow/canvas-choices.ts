/** The direction in which a workflow is drawn: from top to bottom, or from left to right. */
export const ORIENTATIONS = ["vertical", "horizontal"] as const;
export type Orientation = (typeof ORIENTATIONS)[number];

/** Names of tints, without a meaning: the people who draw decide what a color means. */
export const NOTE_COLORS = ["yellow", "blue", "green", "violet", "grey"] as const;
export type NoteColor = (typeof NOTE_COLORS)[number];
