import { findInvite } from "#lib/domain/workspaces/invites/find-invite";
import { env } from "#lib/platform/config/env";
import { boolean } from "#lib/platform/db/column-types";
import { defineStatement } from "#lib/platform/db/define-statement";
import { type Db, db } from "#lib/platform/db/pool";

export interface SignUpMode {
  /** `owner`: nobody has an account yet, the first one owns the instance. `invite`: only with an open invite. */
  mode: "owner" | "open" | "invite" | "closed";
  /** Of the invite the link carries. */
  email: string | null;
  workspaceName: string | null;
  workspaceId: string | null;
  /** Somebody with the invite's address has an account: they sign in instead of making another. */
  hasAccount: boolean;
}

const WITHOUT_INVITE = { email: null, workspaceName: null, workspaceId: null, hasAccount: false };

const selectHasUsers = defineStatement({
  name: "has_users",
  row: { has_users: boolean },
  sql: "select exists (select 1 from users) as has_users",
  isPrepared: false,
});

/** Whether the next account is the first one, which owns the instance. */
export async function isFirstSignUp(tx: Db): Promise<boolean> {
  return !(await selectHasUsers.one(tx)).has_users;
}

/** What the sign-up page may offer: decided again, under a lock, by `signUp`. */
export async function findSignUpMode(inviteToken: string | null): Promise<SignUpMode> {
  if (await isFirstSignUp(db())) return { mode: "owner", ...WITHOUT_INVITE };
  const invite = inviteToken === null ? null : await findInvite(db(), inviteToken);
  if (invite) {
    const { email, workspaceName, workspaceId, hasAccount } = invite;
    return { mode: "invite", email, workspaceName, workspaceId, hasAccount };
  }
  return { mode: env().ALLOW_SIGNUP ? "open" : "closed", ...WITHOUT_INVITE };
}
