import { headers } from "next/headers";
import { decode } from "next-auth/jwt";
import { sessionCookieName } from "#lib/api/auth/auth-options";
import type { UserCaller } from "#lib/api/operations/define/caller";
import { twoStepPath } from "#lib/contract/account/two-step-path";
import { ApiError } from "#lib/contract/error/api-error";
import { WORKSPACE_COOKIE, WORKSPACE_HEADER } from "#lib/contract/workspace/workspace";
import { noteSession } from "#lib/domain/accounts/note-session";
import { findMember, type Requirement, type SessionClaims } from "#lib/domain/workspaces/find-member";
import { ssoRequired } from "#lib/domain/workspaces/sso-required";
import { env } from "#lib/platform/config/env";
import { UUID_PATTERN } from "#lib/support/ids";

/** The session behind a request. */
interface FoundSession {
  caller: UserCaller;
  workspaceName: string;
  /** What the workspace requires before it opens to this session, or null. */
  missing: Requirement | null;
  /** True if the user can turn off the single sign-on that keeps them out. */
  isWayBackOpen: boolean;
}

/**
 * Returns the session behind a request, or null if no one is signed in. The cookie only claims an identity. The database
 * is read on every request to check that the user still exists, was not signed out everywhere, and is still a member.
 * An open page names the workspace it shows (WORKSPACE_HEADER), and its requests act only there: an action meant for
 * one workspace must not happen in another because a second tab switched, or because the user was removed.
 * @param requestHeaders if left out, those of the request whose page is being rendered
 * @param shownWorkspaceId the same as the header, for requests that cannot send one
 */
export async function findSession(
  requestHeaders?: Headers,
  shownWorkspaceId: string | null = null,
): Promise<FoundSession | null> {
  const sent = requestHeaders ?? (await headers());
  const cookies = readCookies(sent.get("cookie"));
  const claims = await readToken(cookies.get(sessionCookieName()));
  if (!claims) return null;
  const shown = shownWorkspaceId ?? sent.get(WORKSPACE_HEADER);
  const preferred = shown ?? cookies.get(WORKSPACE_COOKIE);
  const member = await findMember(claims, preferred && UUID_PATTERN.test(preferred) ? preferred : null);
  if (!member || (shown !== null && member.workspaceId !== shown)) return null;
  const { workspaceId, workspaceName, plan, userId, name, role, missing } = member;
  const { sessionId } = claims;
  if (member.isUnseen) await noteSession(userId, sessionId);
  const caller = { kind: "user" as const, workspaceId, plan, userId, name, role, sessionId };
  const isWayBackOpen = missing === "sso" && role === "owner" && member.hasUsedFactor === true;
  return { caller, workspaceName, missing, isWayBackOpen };
}

interface RequiredSession {
  /** The same as in `findSession`. */
  shownWorkspaceId?: string | null;
  /** True if the request concerns only the user's own account (`Operation.isAboutAccount`). */
  isAboutAccount?: boolean;
  /** True if the request turns off what keeps the user out (`Operation.isWayBack`). */
  isWayBack?: boolean;
}

/**
 * Returns the user behind a request who may use the workspace.
 * @throws ApiError UNAUTHORIZED, or FORBIDDEN with the reason sso_required or two_step_required
 */
export async function requireSession(
  requestHeaders: Headers,
  { shownWorkspaceId = null, isAboutAccount = false, isWayBack = false }: RequiredSession = {},
): Promise<UserCaller> {
  const found = await findSession(requestHeaders, shownWorkspaceId);
  if (!found) throw new ApiError("not_signed_in", "Sign in to continue.");
  const { caller, workspaceName, missing } = found;
  if (missing === null || isAboutAccount || (isWayBack && found.isWayBackOpen)) return caller;
  const { workspaceId } = caller;
  if (missing === "sso") throw ssoRequired(workspaceId, workspaceName);
  const url = env().PUBLIC_BASE_URL + twoStepPath({ workspaceId });
  const message = `${workspaceName} requires two-step verification. Set it up at ${url}, then try again.`;
  throw new ApiError("two_step_required", message, { details: { workspace_id: workspaceId } });
}

async function readToken(token: string | undefined): Promise<SessionClaims | null> {
  if (!token) return null;
  // A token that was tampered with, or sealed with another secret, throws. That means no one is signed in; it is not an
  // error.
  const claims = await decode({ token, secret: env().NEXTAUTH_SECRET }).catch(() => null);
  const { sub: userId, epoch, sid: sessionId } = claims ?? {};
  // A token without a session row could not be revoked from any list of sessions.
  if (!isUuid(userId) || !isUuid(sessionId) || typeof epoch !== "number") return null;
  return { userId, epoch, sessionId };
}

function isUuid(claim: unknown): claim is string {
  return typeof claim === "string" && UUID_PATTERN.test(claim);
}

function readCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at > 0) cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  }
  return cookies;
}
