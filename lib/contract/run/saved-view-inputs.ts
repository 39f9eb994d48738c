import { z } from "zod";
import { LIMITS } from "#lib/contract/limits";
import { savedViewSettingsSchema } from "#lib/contract/run/run-list-schema";

const viewName = z.string().trim().min(1, "Enter a name.").max(LIMITS.savedViewNameCharacters);

export const savedViewInput = z.object({
  name: viewName,
  is_shared: z.boolean().default(false),
  settings: savedViewSettingsSchema,
});

export const savedViewChangesInput = z.object({
  view_id: z.uuid(),
  name: viewName.optional(),
  settings: savedViewSettingsSchema.optional(),
});
