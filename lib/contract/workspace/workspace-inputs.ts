import { z } from "zod";
import { emailSchema, personNameSchema, timeZoneSchema } from "#lib/contract/account/person-inputs";
import { LIMITS } from "#lib/contract/limits";
import { ROLES } from "#lib/contract/workspace/roles";

export const createWorkspaceInput = z.object({
  name: personNameSchema,
  time_zone: timeZoneSchema.optional().catch(undefined),
});

const retentionWords = `must be a whole number from 1 to ${LIMITS.retentionDaysMax}`;

export const updateWorkspaceInput = z.object({
  name: personNameSchema.optional(),
  time_zone: timeZoneSchema.optional(),
  forbid_self_approval: z.boolean().optional(),
  redact_outputs: z.boolean().optional(),
  run_retention_days: z
    .int(retentionWords)
    .min(1, retentionWords)
    .max(LIMITS.retentionDaysMax, retentionWords)
    .nullable()
    .optional(),
});

export const createInviteInput = z.object({ email: emailSchema, role: z.enum(ROLES) });
