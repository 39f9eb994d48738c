import { z } from "zod";
import type { PasskeyRequest } from "#lib/contract/account/account";
import { passkeyParty } from "#lib/domain/accounts/two-step/passkey-party";
import { type OpenedToken, openSignInToken, sealSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";
import { prisma } from "#lib/platform/db/prisma";

/** An answer for one purpose is refused for another. */
const PURPOSES = ["register", "sign_in", "second_factor", "confirm"] as const;
export type PasskeyPurpose = (typeof PURPOSES)[number];

const challengeSchema = z.object({
  challenge: z.string(),
  purpose: z.enum(PURPOSES),
  /** Null while the person is unknown: any passkey of this installation signs in. */
  user_id: z.uuid().nullable(),
});

/**
 * Returns the options with which a browser signs with a passkey.
 * @param userId limits the browser to the passkeys of this person; null for a sign-in without a name
 */
export async function createPasskeyChallenge(purpose: PasskeyPurpose, userId: string | null): Promise<PasskeyRequest> {
  const passkeys = userId === null ? [] : await prisma().userPasskey.findMany({ where: { userId } });
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const options = await generateAuthenticationOptions({
    rpID: passkeyParty().rpId,
    userVerification: "required",
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
  });
  const data = { challenge: options.challenge, purpose, user_id: userId };
  return { token: sealSignInToken("passkey_challenge", data), options: { ...options } };
}

/** Returns the challenge of a token, or null if it has expired or is for another purpose or person. */
export function openPasskeyChallenge(
  token: string,
  purpose: PasskeyPurpose,
  userId: string | null,
): OpenedToken<z.output<typeof challengeSchema>> | null {
  const opened = openSignInToken("passkey_challenge", token, challengeSchema);
  return opened?.data.purpose === purpose && opened.data.user_id === userId ? opened : null;
}
