import { redirect } from "next/navigation";
import { cache } from "react";
import { openLinkToken } from "#lib/api/auth/link-token";
import { findSession } from "#lib/api/auth/session";
import type { SignInProvider } from "#lib/contract/web/account";
import { twoStepPath } from "#lib/contract/web/two-step-path";
import type { SessionObject } from "#lib/contract/web/web";
import { findSignUpMode, type SignUpMode } from "#lib/domain/accounts/find-sign-up-mode";
import { getSession } from "#lib/domain/accounts/get-session";
import { listSignInProviders } from "#lib/domain/accounts/list-sign-in-providers";
import { findResetLink } from "#lib/domain/accounts/password-reset/redeem-reset-link";
import { passkeyParty } from "#lib/domain/accounts/two-step/passkey-party";
import { env } from "#lib/platform/config/env";
import { sameSitePath } from "#lib/support/same-site-path";

interface PageSession {
  session: SessionObject;
  /** True if the workspace is closed to the user until they set up two-step verification. */
  isTwoStepMissing: boolean;
}

/** Read once per request, however many parts of the page need it. */
const readPageSession = cache(async (): Promise<PageSession | null> => readSession(null));

async function readSession(workspaceId: string | null): Promise<PageSession | null> {
  const found = await findSession(undefined, workspaceId);
  if (!found) return null;
  const { caller, isTwoStepMissing } = found;
  return { session: await getSession(caller.userId, caller.workspaceId), isTwoStepMissing };
}

/** Returns the signed-in user for a page that shows nothing of the workspace. */
export async function findPageSession(): Promise<SessionObject | null> {
  return (await readPageSession())?.session ?? null;
}

/** Returns the signed-in user if the workspace is open to them. */
export async function findWorkspaceSession(): Promise<SessionObject | null> {
  const found = await readPageSession();
  return found === null || found.isTwoStepMissing ? null : found.session;
}

/**
 * Returns the signed-in user, or redirects to the sign-in page, or to the page that sets up the two-step verification
 * that the workspace requires. Both return to `path` with its query.
 */
export async function requirePageSession(
  path: string,
  query: Record<string, string | string[] | undefined> = {},
): Promise<SessionObject> {
  const found = await readPageSession();
  if (found && !found.isTwoStepMissing) return found.session;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) search.append(name, item);
  }
  const back = search.size > 0 ? `${path}?${search}` : path;
  redirect(found ? twoStepPath({ returnTo: back }) : `/sign-in?callbackUrl=${encodeURIComponent(back)}`);
}

/**
 * Returns the user and the workspace that a user without a second factor wants to open.
 * @param workspaceId defaults to the workspace in which pages open
 */
export async function findPageEnrollment(workspaceId: string | null): Promise<PageSession | null> {
  return (workspaceId === null ? null : await readSession(workspaceId)) ?? readPageSession();
}

/** Returns the sign-up options that the page offers. */
export async function findPageSignUpMode(inviteToken: string | null): Promise<SignUpMode> {
  return findSignUpMode(inviteToken);
}

/** Returns the path that the sign-in page redirects to: the requested path, if it belongs to this site. */
export function returnPathOf(callbackUrl: string | string[] | undefined): string {
  return sameSitePath([callbackUrl].flat()[0]) ?? "/workflows";
}

/** Returns the services that users can sign in with. */
export function listPageSignInProviders(): SignInProvider[] {
  return listSignInProviders();
}

/** Whether browsers offer passkeys at the address of this installation. */
export function hasPagePasskeys(): boolean {
  return passkeyParty().isUsable;
}

/** Returns the account that the sign-in page was asked to connect, or null for an expired or invalid token. */
export async function findPageLink(given: string | string[] | undefined) {
  const token = [given].flat()[0];
  const identity = token === undefined ? null : await openLinkToken(token);
  return token === undefined || identity === null
    ? null
    : { token, provider: identity.provider, email: identity.email };
}

/** Returns whether the instance can email a link that sets a new password. */
export function canPageMail(): boolean {
  return env().SMTP_URL !== undefined;
}

/** Returns whether an emailed link still sets a new password. */
export async function isPageResetLinkOpen(token: string): Promise<boolean> {
  return (await findResetLink(token)) !== null;
}
