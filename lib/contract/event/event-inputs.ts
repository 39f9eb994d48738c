import { z } from "zod";
import { ALERT_KINDS, ALERT_THRESHOLDS, EVENT_LIMITS, EVENT_TYPES } from "#lib/contract/event/outbound-event";

const url = z
  .url({ protocol: /^https?$/, error: "must be a URL such as https://example.com/hooks" })
  .max(2_000, "must have at most 2000 characters");
const name = z.string().trim().max(100, "must have at most 100 characters");

export const eventsSchema = z.array(z.enum(EVENT_TYPES)).transform((types) => [...new Set(types)]);

export const createEventEndpointInput = z.object({
  url,
  name: name.default(""),
  events: eventsSchema.refine((types) => types.length > 0, "choose at least one event"),
});

export const updateEventEndpointInput = z.object({
  endpoint_id: z.uuid(),
  url: url.optional(),
  name: name.optional(),
  events: eventsSchema.optional(),
  is_enabled: z.boolean().optional(),
});

const wholeNumber = (max: number) => {
  const words = `must be a whole number from 1 to ${max}`;
  return z.int(words).min(1, words).max(max, words);
};

export const createAlertRuleInput = z
  .object({
    workflow_id: z.uuid().nullable(),
    kind: z.enum(ALERT_KINDS),
    threshold: z.number("must be a number"),
    window_minutes: wholeNumber(EVENT_LIMITS.windowMinutesMax).default(60),
    min_runs: wholeNumber(1_000).default(10),
  })
  .superRefine(({ kind, threshold }, { addIssue }) => {
    const { min, max, isWhole } = ALERT_THRESHOLDS[kind];
    if (threshold >= min && threshold <= max && (!isWhole || Number.isInteger(threshold))) return;
    const number = isWhole ? "a whole number " : "";
    addIssue({ code: "custom", path: ["threshold"], message: `must be ${number}from ${min} to ${max} for ${kind}` });
  });
