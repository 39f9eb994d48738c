import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { RUN_LIST_COLUMNS } from "#lib/contract/run/run-list";
import { countSchema, momentSchema } from "#lib/contract/wire/wire-values";

export const errorGroupSchema = z.object({
  error_group: z.guid().describe("For the filter error_group of list_runs."),
  runs: countSchema,
  code: z.string(),
  message: z.string().describe("The message of the newest of these errors."),
  step_name: z.string().nullable(),
  workflow_id: z.uuid(),
  workflow_name: z.string(),
  first_at: momentSchema,
  last_at: momentSchema,
  last_run_id: z.uuid(),
});

export const errorGroupsSchema = z.object({
  data: z.array(errorGroupSchema).describe("The largest groups first."),
  is_partial: z.boolean().describe("True if there are more errors than were counted; the newest were."),
});

export const runCallerSchema = z.object({
  run_id: z.uuid(),
  kind: z.enum(["key", "person", "run", "trigger"]),
  name: z.string().nullable().describe("The name of the key or person; null for a parent run or a trigger."),
  prefix: z.string().nullable().describe("The prefix, for a key."),
});

/** The parameters of the page's address that a view keeps. */
const FILTERS = [
  ...["status", "source", "action", "workflow", "version", "key", "correlation", "error", "group"],
  ...["range", "after", "before", "view"],
] as const;

export const savedViewSettingsSchema = z.object({
  filters: z
    .partialRecord(z.enum(FILTERS), z.string().max(LIMITS.savedViewFilterCharacters))
    .describe("The filters as the address of the page has them."),
  columns: z.array(z.enum(RUN_LIST_COLUMNS)).max(RUN_LIST_COLUMNS.length),
  order: z.enum(["asc", "desc"]),
});

export const savedViewSchema = z.object({
  view_id: z.uuid(),
  name: z.string(),
  is_shared: z.boolean().describe("Everyone in the workspace sees it. Editors can change it."),
  settings: savedViewSettingsSchema,
});
