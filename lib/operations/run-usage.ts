import { z } from "zod";
import { defineOperation } from "#lib/operations/define-operation";
import { getOnboarding } from "#lib/usage/get-onboarding";
import { getRunUsage } from "#lib/usage/get-run-usage";

export const getRunUsageOperation = defineOperation({
  name: "get_run_usage",
  title: "Get run usage",
  description: "The runs of the last thirty days: by day, by workflow, by key and by error.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  run: (caller) => getRunUsage(caller.workspaceId),
});

export const getOnboardingOperation = defineOperation({
  name: "get_onboarding",
  title: "Get onboarding",
  description: "How far the workspace is on its way to the first call.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  run: (caller) => getOnboarding(caller.workspaceId),
});
