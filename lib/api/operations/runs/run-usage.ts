import { z } from "zod";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { timeZoneSchema } from "#lib/contract/account/person-inputs";
import { onboardingSchema, runUsageSchema } from "#lib/contract/run/run-usage-schema";
import { getOnboarding } from "#lib/domain/usage/get-onboarding";
import { getRunUsage } from "#lib/domain/usage/get-run-usage";

export const getRunUsageOperation = defineOperation({
  name: "get_run_usage",
  title: "Get run usage",
  description: "Counts the runs of up to the last thirty days, by day, by workflow, by key and by error.",
  scope: "web",
  role: "viewer",
  input: z.object({
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
    time_zone: timeZoneSchema.optional(),
  }),
  output: runUsageSchema,
  run: (caller, { from, to, time_zone: timeZone }) => getRunUsage(caller.workspaceId, { from, to, timeZone }),
});

export const getOnboardingOperation = defineOperation({
  name: "get_onboarding",
  title: "Get onboarding",
  description: "Returns how far the workspace is on the way to its first call.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: onboardingSchema,
  run: (caller) => getOnboarding(caller.workspaceId),
});
