import { z } from "zod";
import { work } from "#lib/core/engine/work-settings";
import { stepSettings } from "#lib/core/steps/step-settings";

export const codeData = z.object({
  ...stepSettings,
  ...work,
  source: z.string().min(1, "is required").max(100_000, "must be at most 100000 characters long"),
  input: z.record(z.string(), z.unknown()).default({}),
});
