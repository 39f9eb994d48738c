import { z } from "zod";
import { stepSettings } from "#lib/core/steps/step-settings";

export const approvalData = z.object({
  ...stepSettings,
  message: z.string().max(2_000, "must be at most 2000 characters long").nullish(),
});
