import type { PasskeyRequest } from "#lib/contract/account/account";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { requireRecentSignIn } from "#lib/domain/accounts/require-recent-sign-in";
import { PASSKEY_PARTY_NAME, passkeyParty } from "#lib/domain/accounts/two-step/passkey-party";
import { requireOwnProviders } from "#lib/domain/accounts/two-step/require-own-providers";
import { sealSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";
import { db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";

/**
 * Returns the options with which a browser creates a passkey: one that it can offer without a name, and that asks for
 * a fingerprint or a PIN, so that it is two factors by itself.
 * @throws ApiError FORBIDDEN without a recent sign-in or a required provider, BAD_REQUEST at the limit
 */
export async function beginPasskey(request: { userId: string; sessionId: string | null }): Promise<PasskeyRequest> {
  const { userId, sessionId } = request;
  await requireRecentSignIn(db(), userId, sessionId);
  await requireOwnProviders(db(), userId, sessionId);
  const { rpId, isUsable } = passkeyParty();
  if (!isUsable) {
    throw new ApiError(
      "BAD_REQUEST",
      "Passkeys need an https address with a host name. Ask the operator of this instance.",
    );
  }
  const user = await prisma().user.findUniqueOrThrow({ where: { id: userId }, include: { userPasskeys: true } });
  assertRoom(user.userPasskeys.length);
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const options = await generateRegistrationOptions({
    rpName: PASSKEY_PARTY_NAME,
    rpID: rpId,
    userID: new TextEncoder().encode(userId),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: "none",
    excludeCredentials: user.userPasskeys.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const data = { challenge: options.challenge, purpose: "register", user_id: userId };
  return { token: sealSignInToken("passkey_challenge", data), options: { ...options } };
}

/** @throws ApiError BAD_REQUEST at the limit */
export function assertRoom(count: number): void {
  if (count < LIMITS.passkeysPerUser) return;
  throw new ApiError("BAD_REQUEST", `An account can have ${LIMITS.passkeysPerUser} passkeys. Remove one first.`);
}
