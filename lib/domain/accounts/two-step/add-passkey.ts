import type { VerifiedRegistrationResponse } from "@simplewebauthn/server";
import type { PasskeyRegistration } from "#lib/contract/account/account";
import { ApiError } from "#lib/contract/error/api-error";
import { lockUser } from "#lib/domain/accounts/lock-user";
import { requireRecentSignIn } from "#lib/domain/accounts/require-recent-sign-in";
import { assertRoom } from "#lib/domain/accounts/two-step/begin-passkey";
import { noteNewFactor } from "#lib/domain/accounts/two-step/note-new-factor";
import { openPasskeyChallenge } from "#lib/domain/accounts/two-step/passkey-challenge";
import { passkeyParty } from "#lib/domain/accounts/two-step/passkey-party";
import { takeSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";
import type { Actor } from "#lib/domain/audit/record-audit";
import { log } from "#lib/platform/config/log";
import { db } from "#lib/platform/db/pool";
import { prismaTransaction } from "#lib/platform/db/prisma";

interface AddPasskeyRequest {
  userId: string;
  actor: Actor;
  sessionId: string | null;
  name: string;
  /** The token of `beginPasskey`. */
  token: string;
  response: PasskeyRegistration;
}

/**
 * Adds the passkey that a browser created.
 * @returns recovery codes, if this is the person's first second factor
 * @throws ApiError FORBIDDEN without a recent sign-in, BAD_REQUEST for an answer that does not fit the challenge
 */
export async function addPasskey(request: AddPasskeyRequest): Promise<string[] | null> {
  const { userId, actor, sessionId, name, token, response } = request;
  await requireRecentSignIn(db(), userId, sessionId);
  const challenge = openPasskeyChallenge(token, "register", userId);
  if (!challenge) throw refused();
  const { credential } = await verify(response, challenge.data.challenge);
  return prismaTransaction(async (tx) => {
    await lockUser(tx, userId);
    if (!(await takeSignInToken(tx, challenge))) throw refused();
    assertRoom(await tx.prisma.userPasskey.count({ where: { userId } }));
    const details = { name };
    return noteNewFactor(tx, { userId, actor, sessionId, action: "user.passkey_added", details }, async () => {
      const { count } = await tx.prisma.userPasskey.createMany({
        data: {
          id: credential.id,
          userId,
          name,
          publicKey: credential.publicKey,
          counter: BigInt(credential.counter),
          transports: credential.transports ?? [],
        },
        skipDuplicates: true,
      });
      if (count === 0) throw new ApiError("BAD_REQUEST", "This passkey is already in use.");
    });
  });
}

async function verify(response: PasskeyRegistration, expectedChallenge: string) {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { rpId, origin } = passkeyParty();
  const { id, rawId, type } = response;
  const { clientDataJSON, attestationObject, transports = [] } = response.response;
  const answer = { clientDataJSON, attestationObject, transports };
  const verified = await verifyRegistrationResponse({
    response: { id, rawId, type, response: answer, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch((error: unknown): VerifiedRegistrationResponse => {
    log.debug({ err: error }, "a passkey was refused");
    return { verified: false };
  });
  if (!verified.verified) throw refused();
  return verified.registrationInfo;
}

function refused(): ApiError {
  return new ApiError("BAD_REQUEST", "The passkey could not be verified. Start again.");
}
