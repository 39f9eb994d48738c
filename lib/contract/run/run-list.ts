import type { z } from "zod";
import type {
  errorGroupSchema,
  errorGroupsSchema,
  runCallerSchema,
  savedViewSchema,
  savedViewSettingsSchema,
} from "#lib/contract/run/run-list-schema";

/** The columns of the list of runs that a person can show or hide. Status and subject are always shown. */
export const RUN_LIST_COLUMNS = ["run", "caller", "input", "source", "release", "duration", "created"] as const;

/** Runs that failed for the same reason. */
export type ErrorGroup = z.output<typeof errorGroupSchema>;

export type ErrorGroups = z.output<typeof errorGroupsSchema>;

/** Who or what started a run. */
export type RunCaller = z.output<typeof runCallerSchema>;

/** A saved view of the list of runs. */
export type SavedView = z.output<typeof savedViewSchema>;

export type SavedViewSettings = z.output<typeof savedViewSettingsSchema>;
