import { z } from "zod";
import { countSchema, momentSchema } from "#lib/contract/wire/wire-values";

/** Authenticators send a few hundred bytes; attestations with certificates send a few thousand. */
const MAX_BYTES = 16_384;
/** Base64url, as browsers write it. PostgreSQL refuses other text, such as U+0000, with an error. */
const encoded = z
  .string()
  .max(MAX_BYTES)
  .regex(/^[\w-]*$/, "must be base64url");
const credential = {
  id: encoded,
  rawId: encoded,
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).nullish(),
};

/** WebAuthn, RegistrationResponseJSON: the answer of a browser that created a passkey. */
export const passkeyRegistrationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(100)).max(10).optional(),
  }),
});

/** WebAuthn, AuthenticationResponseJSON: the answer of a browser that signed with a passkey. */
export const passkeyAssertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.nullish(),
  }),
});

/** A passkey's answer and the token of its challenge. */
export const passkeyProofSchema = z.object({ token: z.string().max(4_000), response: passkeyAssertionSchema });

/** A request to the browser: the options for `navigator.credentials`, and the token that goes back with its answer. */
export const passkeyRequestSchema = z.object({
  token: z.string(),
  options: z.record(z.string(), z.unknown()).describe("WebAuthn options in their JSON form."),
});

export const codeSchema = z.string().trim().min(1).max(100);

/** A second factor, or proof that takes its place. */
export const secondFactorSchema = z.union([
  z.object({ code: codeSchema }),
  z.object({ recovery_code: codeSchema }),
  z.object({ passkey: passkeyProofSchema }),
]);

const passkeySchema = z.object({
  passkey_id: z.string(),
  name: z.string(),
  created_at: momentSchema,
  last_used_at: momentSchema.nullable(),
});

export const twoStepSchema = z.object({
  is_on: z.boolean().describe("Whether a sign-in with a password needs a second factor."),
  has_authenticator: z.boolean(),
  passkeys: z.array(passkeySchema),
  recovery_codes_left: countSchema,
  required_by: z.array(z.string()).describe("The names of the user's workspaces that require two-step verification."),
  can_add_passkeys: z.boolean().describe("False if the address of this installation supports no passkeys."),
});

/** Recovery codes are shown once: when the first factor is added, or when they are replaced. */
export const newFactorSchema = z.object({ recovery_codes: z.array(z.string()).nullable() });
