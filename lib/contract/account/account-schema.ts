import { z } from "zod";
import { SECOND_FACTORS, SESSION_METHODS, SIGN_IN_PROVIDERS } from "#lib/contract/account/account";
import { momentSchema } from "#lib/contract/wire/wire-values";
import { PLANS } from "#lib/contract/workspace/plans";
import { ROLES } from "#lib/contract/workspace/roles";

export const signInServiceSchema = z.object({
  name: z.string().describe("`github`, `google`, or the name of an OpenID Connect provider."),
  label: z.string(),
  icon: z.string().nullable().describe("The image as a data URL."),
});

export const identitySchema = z.object({
  provider: z.enum(SIGN_IN_PROVIDERS),
  service: z.string().nullable().describe("The name of the service; null if it is no longer set up."),
  label: z.string(),
  subject: z.string().describe("The account's id at the service."),
  email: z.string().describe("The address that the service had verified when the account was connected."),
  connected_at: momentSchema,
  last_used_at: momentSchema,
});

export const signInMethodsSchema = z.object({
  has_password: z.boolean(),
  identities: z.array(identitySchema),
  services: z.array(signInServiceSchema),
});

export const sessionRowSchema = z.object({
  session_id: z.uuid(),
  is_current: z.boolean().describe("True for the session that sent this request."),
  method: z.enum(SESSION_METHODS),
  label: z.string().nullable().describe("The name of the OpenID Connect provider that the session started from."),
  second_factor: z.enum(SECOND_FACTORS).nullable(),
  user_agent: z.string().describe("The name that the browser reports."),
  address: z.string(),
  signed_in_at: momentSchema,
  last_seen_at: momentSchema.describe("Accurate to a few minutes."),
});

export const sessionSchema = z.object({
  user: z.object({ user_id: z.uuid(), name: z.string(), email: z.string() }),
  workspace: z.object({
    workspace_id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    plan: z.enum(PLANS),
    time_zone: z.string(),
  }),
  role: z.enum(ROLES),
  base_url: z.string().describe("{base_url} of the contract: the address of the runtime API and the MCP server."),
});
