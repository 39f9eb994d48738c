import { normalizeEmail } from "#lib/contract/account/normalize-email";
import { ApiError } from "#lib/contract/error/api-error";
import { deviceSubject, type KnownDevice } from "#lib/domain/accounts/attempts/known-device";
import {
  forgetAttempts,
  returnSignInAttempt,
  takeSignInAttempt,
} from "#lib/domain/accounts/attempts/take-sign-in-attempt";
import { type Account, findAccountByEmail } from "#lib/domain/accounts/find-account";
import { verifyPassword } from "#lib/domain/accounts/hash-password";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { acceptInvite } from "#lib/domain/workspaces/invites/accept-invite";
import { log } from "#lib/platform/config/log";
import { db } from "#lib/platform/db/pool";

export type SignInOutcome =
  | { status: "signed_in"; userId: string; name: string; email: string; sessionEpoch: number }
  /** The first step is done; `checkSecondFactor` does the second. There is no session yet. */
  | { status: "second_factor_needed"; userId: string; sessionEpoch: number }
  /** An unknown account and a wrong password get the same answer in the same time. */
  | { status: "refused" }
  | { status: "throttled"; retryAfterSeconds: number }
  /** The password was right, but the person belongs to no workspace. */
  | { status: "no_workspace"; userId: string; name: string; email: string }
  /** The password was right, but the invite sent with it is used up, expired, or for another address. */
  | { status: "invite_refused" };

/** Where a sign-in comes from. */
export interface SignInSource {
  /** The network address of the request, or its network. */
  address: string;
  /** The browser, if people signed in on it before. */
  device?: KnownDevice | null;
}

/**
 * Checks an email address and a password.
 * @param inviteToken lets the person into its workspace in the same step, because a person who belongs to no workspace
 * cannot sign in first
 */
export async function checkSignIn(
  rawEmail: string,
  password: string,
  source: SignInSource,
  inviteToken: string | null = null,
): Promise<SignInOutcome> {
  const email = normalizeEmail(rawEmail);
  const account = email === null ? null : await findAccountByEmail(email);
  const tries = attemptsOf(email ?? rawEmail, account, source);
  const waitSeconds = await tries.take();
  if (waitSeconds > 0) return { status: "throttled", retryAfterSeconds: waitSeconds };

  const isRight = await verifyPassword(account?.password_hash ?? null, password);
  if (!account || !isRight) {
    // Not awaited: an account that exists must not answer later than one that does not.
    if (account) void noteFailure(account, source.address);
    return { status: "refused" };
  }
  await tries.giveBack();
  if (account.has_two_step) {
    return { status: "second_factor_needed", userId: account.id, sessionEpoch: account.session_epoch };
  }
  return enterAccount(account, inviteToken);
}

/**
 * Returns whose attempts a sign-in uses up: a device that the account knows has its own, so strangers cannot lock the
 * person out. All other devices share those of the account and of their address.
 */
function attemptsOf(subject: string, account: Account | null, { address, device = null }: SignInSource) {
  const known = account ? deviceSubject(device, account.id, account.session_epoch) : null;
  if (known !== null) {
    return {
      take: () => takeSignInAttempt(db(), "device", known),
      giveBack: () => forgetAttempts(db(), "device", known),
    };
  }
  return {
    // An address that is already closed must not be able to close accounts as well.
    take: async () =>
      (await takeSignInAttempt(db(), "address", address)) || (await takeSignInAttempt(db(), "account", subject)),
    giveBack: () => returnSignInAttempt(db(), subject, address),
  };
}

async function noteFailure({ id, name }: Account, address: string): Promise<void> {
  const actor = { type: "system" as const, id: null, name: null };
  const entry = { workspaceId: null, action: "user.sign_in_failed" as const, objectType: "user", objectId: id };
  await recordAudit(db(), { ...entry, actor, details: { name, address } }).catch((error: unknown) =>
    log.warn({ err: error }, "a failed sign-in was not recorded"),
  );
}

/**
 * Lets a person in who has proved who they are.
 * @param inviteToken an invite that the person accepts with this sign-in
 */
export async function enterAccount(account: Account, inviteToken: string | null): Promise<SignInOutcome> {
  const { id: userId, name, email, session_epoch: sessionEpoch } = account;
  if (inviteToken !== null && !(await isLetIn(inviteToken, userId))) return { status: "invite_refused" };
  if (!account.is_member && inviteToken === null) return { status: "no_workspace", userId, name, email };
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
