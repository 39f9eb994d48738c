import type { PasskeyProof } from "#lib/contract/account/account";
import { returnAttempt, takeSignInAttempt } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { enterAccount, type SignInOutcome } from "#lib/domain/accounts/check-sign-in";
import { findAccountById } from "#lib/domain/accounts/find-account";
import { verifyPasskey } from "#lib/domain/accounts/two-step/verify-passkey";
import { db } from "#lib/platform/db/pool";

interface PasskeySignIn {
  proof: PasskeyProof;
  /** The network address of the request, for the throttle. */
  address: string;
  inviteToken: string | null;
}

/**
 * Signs a person in with a passkey alone. It is two factors by itself: the device, and the fingerprint or PIN that the
 * device asks for.
 */
export async function checkPasskey({ proof, address, inviteToken }: PasskeySignIn): Promise<SignInOutcome> {
  const waitSeconds = await takeSignInAttempt(db(), "passkey", address);
  if (waitSeconds > 0) return { status: "throttled", retryAfterSeconds: waitSeconds };
  const userId = await verifyPasskey(proof, "sign_in", null);
  const account = userId === null ? null : await findAccountById(userId);
  if (!account) return { status: "refused" };
  // Only failures count: an office has one address.
  await returnAttempt(db(), "passkey", address);
  return enterAccount(account, inviteToken);
}
