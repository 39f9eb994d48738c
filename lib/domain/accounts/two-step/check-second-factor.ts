import type { SecondFactor, SecondFactorProof } from "#lib/contract/web/account";
import { deviceSubject, type KnownDevice } from "#lib/domain/accounts/attempts/known-device";
import { forgetAttempts, takeSignInAttempt } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { enterAccount, type SignInOutcome } from "#lib/domain/accounts/check-sign-in";
import { findAccountById } from "#lib/domain/accounts/find-account";
import { type OpenedToken, takeSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";
import { verifySecondFactor } from "#lib/domain/accounts/two-step/verify-second-factor";
import { db } from "#lib/platform/db/pool";

interface SecondFactorRequest {
  /** The token of the first step: the password or another service proved who the person is. */
  ticket: OpenedToken<{ user_id: string; epoch: number }>;
  proof: SecondFactorProof;
  /** The browser, if people signed in on it before. */
  device?: KnownDevice | null;
  inviteToken: string | null;
}

/** `expired`: the ticket was used, or the password changed since the first step. */
type SecondFactorOutcome = { status: "expired" } | (SignInOutcome & { secondFactor?: SecondFactor });

/** Checks the second step of a sign-in. */
export async function checkSecondFactor(request: SecondFactorRequest): Promise<SecondFactorOutcome> {
  const { ticket, proof, device = null, inviteToken } = request;
  const { user_id: userId, epoch } = ticket.data;
  // A thief who has the password must not be able to lock the person out of the second step.
  const subject = deviceSubject(device, userId, epoch) ?? userId;
  const waitSeconds = await takeSignInAttempt(db(), "second_factor", subject);
  if (waitSeconds > 0) return { status: "throttled", retryAfterSeconds: waitSeconds };
  const account = await findAccountById(userId);
  if (account?.session_epoch !== epoch) return { status: "expired" };
  const secondFactor = await verifySecondFactor(userId, proof, "second_factor");
  if (secondFactor === null) return { status: "refused" };
  if (!(await takeSignInToken(db(), ticket))) return { status: "expired" };
  await forgetAttempts(db(), "second_factor", subject);
  return { ...(await enterAccount(account, inviteToken)), secondFactor };
}
