import type { SecondFactor, SecondFactorProof } from "#lib/contract/account/account";
import { deviceSubject } from "#lib/domain/accounts/attempts/known-device";
import { forgetAttempts, takeSignInAttempt } from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { enterAccount, type SignInOutcome, type SignInSource } from "#lib/domain/accounts/check-sign-in";
import { findAccountById } from "#lib/domain/accounts/find-account";
import { noteWrongFactor } from "#lib/domain/accounts/two-step/note-wrong-factor";
import { type OpenedToken, takeSignInToken } from "#lib/domain/accounts/two-step/sign-in-token";
import { verifySecondFactor } from "#lib/domain/accounts/two-step/verify-second-factor";
import { db } from "#lib/platform/db/pool";

interface SecondFactorRequest {
  /** The token of the first step: the password or another service proved who the person is. */
  ticket: OpenedToken<{ user_id: string; epoch: number }>;
  proof: SecondFactorProof;
  source: SignInSource;
  inviteToken: string | null;
}

/** `expired`: the ticket was used, or the password changed since the first step. */
type SecondFactorOutcome = { status: "expired" } | (SignInOutcome & { secondFactor?: SecondFactor });

/** Checks the second step of a sign-in. */
export async function checkSecondFactor(request: SecondFactorRequest): Promise<SecondFactorOutcome> {
  const { ticket, proof, source, inviteToken } = request;
  const { user_id: userId, epoch } = ticket.data;
  const account = await findAccountById(userId);
  // Before an attempt is taken: a ticket of an old password must not use up the attempts of the new one.
  if (account?.session_epoch !== epoch) return { status: "expired" };
  // A thief who has the password must not be able to lock the person out of the second step.
  const subject = deviceSubject(source.device ?? null, userId, epoch) ?? userId;
  const waitSeconds = await takeSignInAttempt(db(), "second_factor", subject);
  if (waitSeconds > 0) return { status: "throttled", retryAfterSeconds: waitSeconds };
  const secondFactor = await verifySecondFactor(userId, proof, "second_factor");
  if (secondFactor === null) {
    await noteWrongFactor({ userId, proof, address: source.address });
    return { status: "refused" };
  }
  if (!(await takeSignInToken(db(), ticket))) return { status: "expired" };
  await forgetAttempts(db(), "second_factor", subject);
  return { ...(await enterAccount(account, inviteToken)), secondFactor };
}
