import { z } from "zod";
import { countSchema, jsonObjectSchema, momentSchema } from "#lib/contract/wire/wire-values";
import { PLANS } from "#lib/contract/workspace/plans";
import { ROLES } from "#lib/contract/workspace/roles";

export const memberSchema = z.object({
  user_id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  joined_at: momentSchema,
  active_keys: countSchema.describe(
    "The number of active keys that this member created. They are revoked or transferred if the member is removed.",
  ),
});

export const membersWithoutTwoStepSchema = z.object({
  data: z.array(memberSchema.pick({ user_id: true, name: true, email: true })).describe("The first 50, by name."),
  total: countSchema,
});

/** What happens to the API keys that a removed member created. */
export const memberKeysSchema = z.discriminatedUnion("fate", [
  z.object({ fate: z.literal("revoke") }),
  z.object({ fate: z.literal("transfer"), to_user_id: z.uuid() }),
]);

export const inviteSchema = z.object({
  invite_id: z.uuid(),
  email: z.string(),
  role: z.enum(ROLES),
  invited_by: z.string().nullable(),
  created_at: momentSchema,
  expires_at: momentSchema,
  status: z.enum(["open", "expired"]),
  mail: z
    .enum(["waiting", "sent", "failed"])
    .nullable()
    .describe("Null if no mail was sent, because no mail server was set when the invite was created."),
  mail_error: z.string().nullable().describe("The mail server's response to the last attempt, if it refused."),
});

export const createdInviteSchema = inviteSchema.extend({ link: z.string() });

export const workspaceSettingsSchema = z.object({
  workspace_id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  plan: z.enum(PLANS),
  time_zone: z.string(),
  forbid_self_approval: z.boolean(),
  redact_outputs: z.boolean().describe("Whether callers get the outputs of runs redacted, like the journal."),
  require_two_step: z.boolean().describe("Whether members need a second factor. API keys work without one."),
  run_retention_days: countSchema.nullable().describe("Null means the instance's default."),
  default_retention_days: countSchema.describe("The instance's default; 0 keeps runs forever."),
  created_at: momentSchema,
});

/** A limit of null means no limit. */
const spentSchema = z.object({ used: countSchema, limit: countSchema.nullable() });

export const usageSchema = z.object({
  plan: z.enum(PLANS),
  month: z.iso.date().describe("First day of the calendar month in UTC."),
  runs: spentSchema.describe("Without a limit, runs are counted up to 100,000."),
  own_runs: spentSchema.describe("The runs of the current user in the last hour, in all workspaces."),
  keys: spentSchema,
  members: countSchema,
  definition_bytes: spentSchema.describe("Drafts and published versions of workflows."),
  requests_per_window: countSchema.nullable().describe("Requests per key and 60 seconds."),
});

export const membershipSchema = z.object({
  workspace_id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  plan: z.enum(PLANS),
  role: z.enum(ROLES),
});

export const auditEventSchema = z.object({
  event_id: z.uuid(),
  at: momentSchema,
  actor: z.object({
    type: z.enum(["user", "api_key", "system"]),
    id: z.string().nullable(),
    name: z.string().nullable(),
  }),
  action: z.string().describe("noun.verb_in_the_past"),
  object_type: z.string(),
  object_id: z.string().nullable(),
  details: jsonObjectSchema,
});
