import { ApiError } from "#lib/contract/api-error";
import { type Account, findAccountByEmail } from "#lib/domain/accounts/find-account";
import { verifyPassword } from "#lib/domain/accounts/hash-password";
import { returnSignInAttempt, takeSignInAttempt } from "#lib/domain/accounts/take-sign-in-attempt";
import { acceptInvite } from "#lib/domain/workspaces/invites/accept-invite";
import { db } from "#lib/platform/db/pool";
import { normalizeEmail } from "#lib/support/normalize-email";

export type SignInOutcome =
  | { status: "signed_in"; userId: string; name: string; email: string; sessionEpoch: number }
  /** The first step is done; `checkSecondFactor` does the second. There is no session yet. */
  | { status: "second_factor_needed"; userId: string; sessionEpoch: number }
  /** An unknown account and a wrong password get the same answer in the same time. */
  | { status: "refused" }
  | { status: "throttled"; retryAfterSeconds: number }
  /** The password was right, but the person belongs to no workspace. */
  | { status: "no_workspace" }
  /** The password was right, but the invite sent with it is used up, expired, or for another address. */
  | { status: "invite_refused" };

/**
 * Checks an email address and a password.
 * @param address the network address of the request, for the throttle
 * @param inviteToken lets the person into its workspace in the same step, because a person who belongs to no workspace
 * cannot sign in first
 */
export async function checkSignIn(
  rawEmail: string,
  password: string,
  address: string,
  inviteToken: string | null = null,
): Promise<SignInOutcome> {
  const email = normalizeEmail(rawEmail);
  const subject = email ?? rawEmail;
  // An address that is already closed must not be able to close accounts as well.
  const waitSeconds =
    (await takeSignInAttempt(db(), "address", address)) || (await takeSignInAttempt(db(), "account", subject));
  if (waitSeconds > 0) return { status: "throttled", retryAfterSeconds: waitSeconds };

  const account = email === null ? null : await findAccountByEmail(email);
  const isRight = await verifyPassword(account?.password_hash ?? null, password);
  if (!account || !isRight) return { status: "refused" };
  await returnSignInAttempt(db(), subject, address);
  if (account.has_two_step) {
    return { status: "second_factor_needed", userId: account.id, sessionEpoch: account.session_epoch };
  }
  return enterAccount(account, inviteToken);
}

/**
 * Lets a person in who has proved who they are.
 * @param inviteToken an invite that the person accepts with this sign-in
 */
export async function enterAccount(account: Account, inviteToken: string | null): Promise<SignInOutcome> {
  const { id: userId, name, email, session_epoch: sessionEpoch } = account;
  if (inviteToken !== null && !(await isLetIn(inviteToken, userId))) return { status: "invite_refused" };
  if (!account.is_member && inviteToken === null) return { status: "no_workspace" };
  return { status: "signed_in", userId, name, email, sessionEpoch };
}

async function isLetIn(inviteToken: string, userId: string): Promise<boolean> {
  try {
    await acceptInvite(inviteToken, userId);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === "FORBIDDEN") return false;
    throw error;
  }
}
