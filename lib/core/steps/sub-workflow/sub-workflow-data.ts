import { z } from "zod";
import { SLUG_PATTERN } from "#lib/contract/action/action";
import { work } from "#lib/core/engine/work-settings";
import { stepSettings } from "#lib/core/steps/step-settings";

export const subWorkflowData = z.object({
  ...stepSettings,
  ...work,
  action_slug: z.string().regex(SLUG_PATTERN, "must be the slug of an action"),
  input: z.record(z.string(), z.unknown()).default({}),
});
