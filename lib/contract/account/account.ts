import type { z } from "zod";
import type { identitySchema, sessionRowSchema, signInServiceSchema } from "#lib/contract/account/account-schema";
import type {
  passkeyProofSchema,
  passkeyRegistrationSchema,
  passkeyRequestSchema,
  secondFactorSchema,
  twoStepSchema,
} from "#lib/contract/account/two-step-schema";

/**
 * The kinds of services whose accounts can sign in, if the operator registered this installation with them. `oidc` is
 * every OpenID Connect provider of `OIDC_PROVIDERS`.
 */
export const SIGN_IN_PROVIDERS = ["github", "google", "oidc"] as const;
export type SignInProvider = (typeof SIGN_IN_PROVIDERS)[number];

export const SIGN_IN_PROVIDER_NAMES: Record<SignInProvider, string> = {
  github: "GitHub",
  google: "Google",
  oidc: "single sign-on",
};

/** A button of the sign-in page. */
export type SignInOption = z.output<typeof signInServiceSchema>;

/** An account of another service that can sign in as this person. */
export type IdentityObject = z.output<typeof identitySchema>;

/** How a session started. */
export const SESSION_METHODS = ["password", "passkey", ...SIGN_IN_PROVIDERS] as const;
export type SessionMethod = (typeof SESSION_METHODS)[number];

/** The second factors that a person sets up here. */
export const OWN_FACTORS = ["authenticator", "passkey", "recovery_code"] as const;
/** The second factor of a sign-in. `provider`: the OpenID Connect provider proved one. */
export const SECOND_FACTORS = [...OWN_FACTORS, "provider"] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];

export type SessionRow = z.output<typeof sessionRowSchema>;

export type PasskeyRequest = z.output<typeof passkeyRequestSchema>;
export type PasskeyRegistration = z.output<typeof passkeyRegistrationSchema>;
export type PasskeyProof = z.output<typeof passkeyProofSchema>;
export type SecondFactorProof = z.output<typeof secondFactorSchema>;
export type TwoStepState = z.output<typeof twoStepSchema>;

/** What the sign-in page can ask for. */
export interface SignInChallenge {
  has_authenticator: boolean;
  passkey: PasskeyRequest | null;
}
