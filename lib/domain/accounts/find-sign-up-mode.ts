import { findInvite } from "#lib/domain/workspaces/invites/find-invite";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { type PrismaDb, prisma } from "#lib/platform/db/prisma";

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

/** Whether the next account is the first one, which owns the instance. */
export async function isFirstSignUp(on: PrismaDb): Promise<boolean> {
  return (await on.user.findFirst({ select: { id: true } })) === null;
}

/** What the sign-up page may offer: decided again, under a lock, by `signUp`. */
export async function findSignUpMode(inviteToken: string | null): Promise<SignUpMode> {
  if (await isFirstSignUp(prisma())) return { mode: "owner", ...WITHOUT_INVITE };
  const invite = inviteToken === null ? null : await findInvite(db(), inviteToken);
  if (invite) {
    const { email, workspaceName, workspaceId, hasAccount } = invite;
    return { mode: "invite", email, workspaceName, workspaceId, hasAccount };
  }
  return { mode: env().ALLOW_SIGNUP ? "open" : "closed", ...WITHOUT_INVITE };
}
