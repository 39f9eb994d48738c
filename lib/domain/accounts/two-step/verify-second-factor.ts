import type { SecondFactor, SecondFactorProof } from "#lib/contract/account/account";
import type { PasskeyPurpose } from "#lib/domain/accounts/two-step/passkey-challenge";
import { takeRecoveryCode } from "#lib/domain/accounts/two-step/recovery-codes";
import { matchTotpStep, totpContext } from "#lib/domain/accounts/two-step/totp";
import { verifyPasskey } from "#lib/domain/accounts/two-step/verify-passkey";
import { bigint, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { prisma } from "#lib/platform/db/prisma";
import { unseal } from "#lib/platform/secrets/seal";

/**
 * Checks a second factor and uses it up. The caller has taken an attempt before.
 * @returns the factor, or null if it is wrong or was used before
 */
export async function verifySecondFactor(
  userId: string,
  proof: SecondFactorProof,
  purpose: PasskeyPurpose,
): Promise<SecondFactor | null> {
  if ("code" in proof) return (await takeTotpCode(userId, proof.code)) ? "authenticator" : null;
  if ("passkey" in proof) return (await verifyPasskey(proof.passkey, purpose, userId)) ? "passkey" : null;
  return (await takeRecoveryCode(db(), userId, proof.recovery_code)) ? "recovery_code" : null;
}

const advanceStep = defineStatement({
  name: "use_totp_step",
  params: { userId: uuid, step: bigint },
  sql: `update user_totp set last_step = $2
        where user_id = $1 and confirmed_at is not null and coalesce(last_step < $2, true)`,
  isPrepared: false,
});

/** Accepts a code once: of two requests with the same code one gets false (RFC 6238, 5.2). */
async function takeTotpCode(userId: string, code: string): Promise<boolean> {
  const totp = await prisma().userTotp.findFirst({ where: { userId, confirmedAt: { not: null } } });
  if (!totp) return false;
  const step = matchTotpStep(unseal<string>(userId, totpContext(userId), totp.secretSealed), code, Date.now());
  return step !== null && (await advanceStep.run(db(), { userId, step })) === 1;
}
