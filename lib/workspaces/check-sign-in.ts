import { db } from "#lib/db/pool";
import { verifyPassword } from "#lib/workspaces/hash-password";
import { normalizeEmail } from "#lib/workspaces/normalize-email";
import { returnSignInAttempt, takeSignInAttempt } from "#lib/workspaces/take-sign-in-attempt";

type SignInOutcome =
  | { status: "signed_in"; userId: string; name: string; sessionEpoch: number }
  /** Unknown account and wrong password are one answer, in the same time. */
  | { status: "refused" }
  | { status: "throttled"; retryAfterSeconds: number }
  /** The password was right, but the person belongs to no workspace (any more). */
  | { status: "no_workspace" };

interface Account {
  id: string;
  name: string;
  password_hash: string;
  session_epoch: number;
  is_member: boolean;
}

/**
 * Checks an e-mail and a password.
 * @param address the network address it came from, for the throttle
 */
export async function checkSignIn(rawEmail: string, password: string, address: string): Promise<SignInOutcome> {
  const email = normalizeEmail(rawEmail);
  const subject = email ?? rawEmail;
  // An address that is closed already must not be able to close accounts as well.
  const waitSeconds =
    (await takeSignInAttempt(db(), "address", address)) || (await takeSignInAttempt(db(), "account", subject));
  if (waitSeconds > 0) return { status: "throttled", retryAfterSeconds: waitSeconds };

  const account = email === null ? null : await findAccount(email);
  const isRight = await verifyPassword(account?.password_hash ?? null, password);
  if (!account || !isRight) return { status: "refused" };
  await returnSignInAttempt(db(), subject, address);
  if (!account.is_member) return { status: "no_workspace" };
  return { status: "signed_in", userId: account.id, name: account.name, sessionEpoch: account.session_epoch };
}

async function findAccount(email: string): Promise<Account | null> {
  const { rows } = await db().query<Account>({
    text: `select id, name, password_hash, session_epoch,
                  exists (select 1 from workspace_members m where m.user_id = u.id) as is_member
           from users u where email = $1`,
    values: [email],
  });
  return rows[0] ?? null;
}
