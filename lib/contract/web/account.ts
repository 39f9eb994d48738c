import type { z } from "zod";
import type { identitySchema, sessionRowSchema } from "#lib/contract/web/account-schema";
/** Services whose accounts can sign in, if the operator registered this installation with them. */
export const SIGN_IN_PROVIDERS = ["github", "google"] as const;
export type SignInProvider = (typeof SIGN_IN_PROVIDERS)[number];

export const SIGN_IN_PROVIDER_NAMES: Record<SignInProvider, string> = { github: "GitHub", google: "Google" };

/** An account of another service that can sign in as this person. */
export type IdentityObject = z.output<typeof identitySchema>;

/** How a session started. */
export const SESSION_METHODS = ["password", ...SIGN_IN_PROVIDERS] as const;
export type SessionMethod = (typeof SESSION_METHODS)[number];

export type SessionRow = z.output<typeof sessionRowSchema>;
