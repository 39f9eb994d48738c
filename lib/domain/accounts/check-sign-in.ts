import { ApiError } from "#lib/contract/api-error";
import { verifyPassword } from "#lib/domain/accounts/hash-password";
import { returnSignInAttempt, takeSignInAttempt } from "#lib/domain/accounts/take-sign-in-attempt";
import { acceptInvite } from "#lib/domain/workspaces/invites/accept-invite";
import { boolean, integer, nullable, text, uuid } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { db } from "#lib/platform/db/pool";
import { normalizeEmail } from "#lib/support/normalize-email";

type SignInOutcome =
  | { status: "signed_in"; userId: string; name: string; email: string; sessionEpoch: number }
  /** An unknown account and a wrong password get the same answer in the same time. */
  | { status: "refused" }
  | { status: "throttled"; retryAfterSeconds: number }
  /** The password was right, but the person belongs to no workspace. */
  | { status: "no_workspace" }
  /** The password was right, but the invite sent with it is used up, expired, or for another address. */
  | { status: "invite_refused" };

const selectAccount = defineStatement({
  name: "find_account",
  params: { email: text },
  row: {
    id: uuid,
    name: text,
    email: text,
    /** Null if the person signs in only through another service. */
    password_hash: nullable(text),
    session_epoch: integer,
    is_member: boolean,
  },
  sql: `select id, name, email, password_hash, session_epoch,
          exists (select 1 from workspace_members m where m.user_id = u.id) as is_member
        from users u where email = $1`,
});

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

  const account = email === null ? null : await selectAccount.first(db(), { email });
  const isRight = await verifyPassword(account?.password_hash ?? null, password);
  if (!account || !isRight) return { status: "refused" };
  await returnSignInAttempt(db(), subject, address);
  if (inviteToken !== null && !(await isLetIn(inviteToken, account.id))) return { status: "invite_refused" };
  if (!account.is_member && inviteToken === null) return { status: "no_workspace" };
  const { id: userId, name, session_epoch: sessionEpoch } = account;
  return { status: "signed_in", userId, name, email: account.email, sessionEpoch };
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
