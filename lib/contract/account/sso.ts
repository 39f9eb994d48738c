import type { z } from "zod";
import type { groupRoleSchema, ssoSchema } from "#lib/contract/account/sso-schema";

export type GroupRole = z.output<typeof groupRoleSchema>;

/** How the people of a provider become members of a workspace, and what its admins can choose. */
export type SsoState = z.output<typeof ssoSchema>;
export type SsoRule = NonNullable<SsoState["rule"]>;
