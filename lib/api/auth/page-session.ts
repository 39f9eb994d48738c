import { redirect } from "next/navigation";
import { cache } from "react";
import { openLinkToken } from "#lib/api/auth/link-token";
import { findSession } from "#lib/api/auth/session";
import { SIGN_IN_PROVIDER_NAMES, type SignInOption } from "#lib/contract/account/account";
import { ssoPath } from "#lib/contract/account/sso-path";
import { twoStepPath } from "#lib/contract/account/two-step-path";
import type { SessionObject } from "#lib/contract/wire/web";
import { findSignUpMode, type SignUpMode } from "#lib/domain/accounts/find-sign-up-mode";
import { getSession } from "#lib/domain/accounts/get-session";
import { findServiceOf, listSignInServices } from "#lib/domain/accounts/list-sign-in-services";
import { findResetLink } from "#lib/domain/accounts/password-reset/redeem-reset-link";
import { findSsoRule } from "#lib/domain/accounts/single-sign-on/get-sso";
import { passkeyParty } from "#lib/domain/accounts/two-step/passkey-party";
import type { Requirement } from "#lib/domain/workspaces/find-member";
import { env } from "#lib/platform/config/env";
import { prisma } from "#lib/platform/db/prisma";
import { sameSitePath } from "#lib/support/same-site-path";

interface PageSession {
  session: SessionObject;
  /** What the workspace requires before it opens to this session, or null. */
  missing: Requirement | null;
  isWayBackOpen: boolean;
}

/** Read once per request, however many parts of the page need it. */
const readPageSession = cache(async (): Promise<PageSession | null> => readSession(null));

async function readSession(workspaceId: string | null): Promise<PageSession | null> {
  const found = await findSession(undefined, workspaceId);
  if (!found) return null;
  const { caller, missing, isWayBackOpen } = found;
  return { session: await getSession(caller.userId, caller.workspaceId), missing, isWayBackOpen };
}

/** Returns the signed-in user for a page that shows nothing of the workspace. */
export async function findPageSession(): Promise<SessionObject | null> {
  return (await readPageSession())?.session ?? null;
}

/** Returns the signed-in user if the workspace is open to them. */
export async function findWorkspaceSession(): Promise<SessionObject | null> {
  const found = await readPageSession();
  return found === null || found.missing !== null ? null : found.session;
}

/**
 * Returns the signed-in user, or redirects to the sign-in page, or to the page that helps with what the workspace
 * requires. All return to `path` with its query.
 */
export async function requirePageSession(
  path: string,
  query: Record<string, string | string[] | undefined> = {},
): Promise<SessionObject> {
  const found = await readPageSession();
  if (found && found.missing === null) return found.session;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) search.append(name, item);
  }
  const back = search.size > 0 ? `${path}?${search}` : path;
  if (!found) redirect(`/sign-in?callbackUrl=${encodeURIComponent(back)}`);
  redirect(found.missing === "sso" ? ssoPath({ returnTo: back }) : twoStepPath({ returnTo: back }));
}

/**
 * Returns the user and the workspace that they want to open and that keeps them out.
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
export function listPageSignInServices(): SignInOption[] {
  return listSignInServices();
}

/** Whether browsers offer passkeys at the address of this installation. */
export function hasPagePasskeys(): boolean {
  return passkeyParty().isUsable;
}

/** Returns the account that the sign-in page was asked to connect, or null for an expired or invalid token. */
export async function findPageLink(given: string | string[] | undefined) {
  const token = [given].flat()[0];
  const identity = token === undefined ? null : await openLinkToken(token);
  if (token === undefined || identity === null) return null;
  const { provider, subject, email } = identity;
  return { token, label: findServiceOf(provider, subject)?.label ?? SIGN_IN_PROVIDER_NAMES[provider], email };
}

/** Returns whether the instance can email a link that sets a new password. */
export function canPageMail(): boolean {
  return env().SMTP_URL !== undefined;
}

/** Returns whether an emailed link still sets a new password. */
export async function isPageResetLinkOpen(token: string): Promise<boolean> {
  return (await findResetLink(token)) !== null;
}

/** Returns the provider that a workspace requires, or null if it is no longer set up. */
export async function findPageSsoService(workspaceId: string): Promise<SignInOption | null> {
  const rule = await findSsoRule(prisma(), workspaceId);
  return listSignInServices().find(({ name }) => name === rule?.provider) ?? null;
}
