import { env } from "#lib/config/env";
import { db } from "#lib/db/pool";
import { findInvite } from "#lib/workspaces/find-invite";

export interface SignUpMode {
  /** `owner`: nobody has an account yet, the first one owns the instance. `invite`: only with an open invite. */
  mode: "owner" | "open" | "invite" | "closed";
  /** Of the invite the link carries. */
  email: string | null;
  workspaceName: string | null;
}

/** What the sign-up page may offer: decided again, under a lock, by `signUp`. */
export async function findSignUpMode(inviteToken: string | null): Promise<SignUpMode> {
  const { rows } = await db().query<{ is_empty: boolean }>({
    text: "select not exists (select 1 from users) as is_empty",
  });
  if (rows[0]?.is_empty) return { mode: "owner", email: null, workspaceName: null };
  const invite = inviteToken === null ? null : await findInvite(db(), inviteToken);
  if (invite) return { mode: "invite", email: invite.email, workspaceName: invite.workspaceName };
  return { mode: env().ALLOW_SIGNUP ? "open" : "closed", email: null, workspaceName: null };
}
