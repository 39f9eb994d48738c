import type { User } from "next-auth";
import { sealLinkToken } from "#lib/api/auth/link-token";
import { SIGN_IN_ERRORS } from "#lib/api/auth/sign-in-errors";
import { sealTicket } from "#lib/api/auth/sign-in-ticket";
import type { SignInProvider } from "#lib/contract/web/account";
import { signInWithProvider } from "#lib/domain/accounts/sign-in-with-provider";
import { log } from "#lib/platform/config/log";

/**
 * Decides whether an account of another service signs in to one of ours. Before this call next-auth's user is the
 * account of the other service; after it, ours.
 * @param returnTo the path that opens after a second step
 * @returns true, or the path to redirect to
 */
export async function admitProvider(
  user: User,
  provider: SignInProvider | null,
  returnTo: string | null,
): Promise<boolean | string> {
  if (provider === null) return true;
  try {
    return await admitPerson(user, provider, returnTo);
  } catch (error) {
    log.warn({ err: error, provider }, "sign-in with another service failed");
    return `/sign-in?error=${SIGN_IN_ERRORS.failed}`;
  }
}

async function admitPerson(user: User, provider: SignInProvider, returnTo: string | null): Promise<boolean | string> {
  const { id: subject, email, name } = user;
  const outcome = await signInWithProvider({ provider, subject, verifiedEmail: email ?? null, name: name ?? "" });
  switch (outcome.status) {
    case "signed_in":
      Object.assign(user, { id: outcome.userId, name: outcome.name, sessionEpoch: outcome.sessionEpoch });
      return true;
    case "second_factor_needed": {
      const link = outcome.identity === null ? null : await sealLinkToken(outcome.identity);
      const { userId, sessionEpoch: epoch } = outcome;
      const ticket = sealTicket({ user_id: userId, epoch, method: provider, invite: null, link });
      const query = new URLSearchParams({ ticket, ...(returnTo === null ? {} : { callbackUrl: returnTo }) });
      return `/sign-in?${query}`;
    }
    case "password_needed":
      return `/sign-in?link=${encodeURIComponent(await sealLinkToken(outcome.identity))}`;
    case "unverified":
      return `/sign-in?error=${SIGN_IN_ERRORS.unverified}`;
    case "closed":
      return `/sign-in?error=${SIGN_IN_ERRORS.closed}`;
    case "no_workspace":
      return `/sign-in?error=${SIGN_IN_ERRORS.noWorkspace}`;
  }
}
