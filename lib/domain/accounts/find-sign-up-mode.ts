import { findInvite } from "#lib/domain/workspaces/invites/find-invite";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { type PrismaDb, prisma } from "#lib/platform/db/prisma";

export interface SignUpMode {
  /** `owner`: there is no account yet, and the first one owns the instance. `invite`: only with an open invite. */
  mode: "owner" | "open" | "invite" | "closed";
  /** The address of the invite in the link. */
  email: string | null;
  workspaceName: string | null;
  workspaceId: string | null;
  /** True if the invite's address already has an account: that person signs in instead of creating another. */
  hasAccount: boolean;
}

const WITHOUT_INVITE = { email: null, workspaceName: null, workspaceId: null, hasAccount: false };

/** Reports whether the next account is the first one, which owns the instance. */
export async function isFirstSignUp(on: PrismaDb): Promise<boolean> {
  return (await on.user.findFirst({ select: { id: true } })) === null;
}

/** Returns what the sign-up page may offer. `signUp` decides again, under a lock. */
export async function findSignUpMode(inviteToken: string | null): Promise<SignUpMode> {
  if (await isFirstSignUp(prisma())) return { mode: "owner", ...WITHOUT_INVITE };
  const invite = inviteToken === null ? null : await findInvite(db(), inviteToken);
  if (invite) {
    const { email, workspaceName, workspaceId, hasAccount } = invite;
    return { mode: "invite", email, workspaceName, workspaceId, hasAccount };
  }
  return { mode: env().ALLOW_SIGNUP ? "open" : "closed", ...WITHOUT_INVITE };
}
