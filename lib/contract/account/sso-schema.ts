import { z } from "zod";
import { signInServiceSchema } from "#lib/contract/account/account-schema";
import { LIMITS } from "#lib/contract/limits";
import { ROLES } from "#lib/contract/workspace/roles";

/** No group makes an owner: a provider's administrator must not be able to take a workspace over. */
const grantedRoleSchema = z.enum(ROLES).exclude(["owner"]);

export const groupRoleSchema = z.object({
  group: z.string().trim().min(1, "must not be empty").max(200).describe("A value of the provider's groups claim."),
  role: grantedRoleSchema,
});

const domainWords = "must be a domain such as example.com";
const domainSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, domainWords)
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, domainWords);

export const ssoRuleInput = z.object({
  provider: z.string().min(1).max(31).describe("The name of the provider."),
  group_roles: z.array(groupRoleSchema).max(LIMITS.ssoGroups),
  default_role: grantedRoleSchema.nullable().describe("For people without a listed group; null lets none of them in."),
  email_domains: z.array(domainSchema).max(LIMITS.ssoEmailDomains).describe("An empty list allows every domain."),
});

const ssoRuleSchema = ssoRuleInput.extend({
  provider_label: z.string().nullable().describe("Null if the provider is no longer set up."),
  is_required: z.boolean().describe("Whether members must sign in through the provider. API keys work without it."),
});

export const ssoSchema = z.object({
  providers: z.array(
    signInServiceSchema.extend({
      own_groups: z.array(z.string()).nullable().describe("Your groups at your last sign-in; null if it sent none."),
    }),
  ),
  session_provider: z.string().nullable().describe("The provider that this session started from."),
  rule: ssoRuleSchema.nullable(),
});
