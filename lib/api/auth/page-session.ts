import { redirect } from "next/navigation";
import { cache } from "react";
import { openLinkToken } from "#lib/api/auth/link-token";
import { findSession } from "#lib/api/auth/session";
import type { SignInProvider } from "#lib/contract/web/account";
import type { SessionObject } from "#lib/contract/web/web";
import { findSignUpMode, type SignUpMode } from "#lib/domain/accounts/find-sign-up-mode";
import { getSession } from "#lib/domain/accounts/get-session";
import { listSignInProviders } from "#lib/domain/accounts/list-sign-in-providers";
import { sameSitePath } from "#lib/support/same-site-path";

/** Who is signed in, for what a page shows of them; read once however many parts of the page ask. */
export const findPageSession = cache(async (): Promise<SessionObject | null> => {
  const caller = await findSession();
  return caller ? getSession(caller.userId, caller.workspaceId) : null;
});

/** The same, or off to the sign-in page, which leads back to `path` with its query. */
export async function requirePageSession(
  path: string,
  query: Record<string, string | string[] | undefined> = {},
): Promise<SessionObject> {
  const session = await findPageSession();
  if (session) return session;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) search.append(name, item);
  }
  const back = search.size > 0 ? `${path}?${search}` : path;
  redirect(`/sign-in?callbackUrl=${encodeURIComponent(back)}`);
}

/** What the sign-up page may offer. */
export async function findPageSignUpMode(inviteToken: string | null): Promise<SignUpMode> {
  return findSignUpMode(inviteToken);
}

/** Where the sign-in page leads: the path it was asked for, if it is one of this site. */
export function returnPathOf(callbackUrl: string | string[] | undefined): string {
  return sameSitePath([callbackUrl].flat()[0]) ?? "/workflows";
}

/** The services whose accounts sign in here. */
export function listPageSignInProviders(): SignInProvider[] {
  return listSignInProviders();
}

/** What the sign-in page was asked to connect; null for a token that is over or not ours. */
export async function findPageLink(given: string | string[] | undefined) {
  const token = [given].flat()[0];
  const identity = token === undefined ? null : await openLinkToken(token);
  return token === undefined || identity === null
    ? null
    : { token, provider: identity.provider, email: identity.email };
}
