import { z } from "zod";
import { USAGE_STATUSES } from "#lib/contract/run/run-usage";
import { countSchema, momentSchema } from "#lib/contract/wire/wire-values";

const countsSchema = z.record(z.enum(USAGE_STATUSES), countSchema);

/** How long half and 95 of 100 successful runs took at most; null if none succeeded. Exact to five percent. */
export const usageDurationsSchema = z.object({ p50_ms: z.number().nullable(), p95_ms: z.number().nullable() });

export const usageDaySchema = usageDurationsSchema.extend({
  day: z.iso.date().describe("In the workspace's time zone."),
  from: momentSchema,
  to: momentSchema,
  counts: countsSchema,
});

export const usageOfWorkflowSchema = usageDurationsSchema.extend({
  workflow_id: z.uuid(),
  name: z.string(),
  action_slug: z.string().nullable(),
  counts: countsSchema,
});

export const usageOfKeySchema = z.object({
  key_id: z.uuid(),
  name: z.string(),
  prefix: z.string(),
  counts: countsSchema,
});

export const runUsageSchema = usageDurationsSchema.extend({
  time_zone: z.string(),
  days: z.array(usageDaySchema),
  counts: countsSchema,
  workflows: z.array(usageOfWorkflowSchema).describe("Busiest first, up to twenty."),
  keys: z.array(usageOfKeySchema),
  errors: z.array(z.object({ code: z.string(), runs: countSchema })),
});

export const onboardingSchema = z.object({
  action_slug: z.string().nullable().describe("The slug of an action that can be called; null if there is none."),
  has_key: z.boolean(),
  first_run_id: z
    .uuid()
    .nullable()
    .describe("The newest run that a key started, among the latest 500 runs; null if there is none."),
});
