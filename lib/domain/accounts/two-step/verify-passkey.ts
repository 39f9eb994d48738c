import type { PasskeyProof } from "#lib/contract/account/account";
import { openPasskeyChallenge, type PasskeyPurpose } from "#lib/domain/accounts/two-step/passkey-challenge";
import { passkeyParty } from "#lib/domain/accounts/two-step/passkey-party";
import { takeSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";
import { log } from "#lib/platform/config/log";
import { bigint, text } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { transaction } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";

const noteUse = defineStatement({
  name: "note_passkey_use",
  params: { id: text, counter: bigint },
  // A counter that does not increase belongs to a copy of the key. 0 means that the authenticator doesn't count.
  sql: `update user_passkeys set counter = $2, last_used_at = now()
        where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
  isPrepared: false,
});

/**
 * Checks the signature of a passkey. A signature works once.
 * @param userId the person whose passkey it has to be; null if the passkey says who signs in
 * @returns the person, or null if the signature is refused
 */
export async function verifyPasskey(
  { token, response }: PasskeyProof,
  purpose: PasskeyPurpose,
  userId: string | null,
): Promise<string | null> {
  const challenge = openPasskeyChallenge(token, purpose, userId);
  if (!challenge) return null;
  const passkey = await prisma().userPasskey.findUnique({ where: { id: response.id } });
  if (!passkey || (userId !== null && passkey.userId !== userId)) return null;
  const counter = await verify(response, challenge.data.challenge, passkey);
  if (counter === null) return null;
  return transaction(async (tx) => {
    if (!(await takeSignInToken(tx, challenge))) return null;
    return (await noteUse.run(tx, { id: passkey.id, counter })) === 1 ? passkey.userId : null;
  });
}

async function verify(
  { id, rawId, type, response }: PasskeyProof["response"],
  expectedChallenge: string,
  passkey: { id: string; publicKey: Uint8Array<ArrayBuffer>; counter: bigint },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { rpId, origin } = passkeyParty();
  const { clientDataJSON, authenticatorData, signature } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: { id: passkey.id, publicKey: passkey.publicKey, counter: Number(passkey.counter) },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    log.debug({ err: error }, "a passkey was refused");
    return null;
  }
}
