import { headers } from "next/headers";
import { decode } from "next-auth/jwt";
import { env } from "#lib/config/env";
import { ApiError } from "#lib/contract/api-error";
import type { UserCaller } from "#lib/operations/caller";
import { UUID_PATTERN } from "#lib/support/ids";
import { sessionCookieName } from "#lib/surfaces/auth-options";
import { findMember } from "#lib/workspaces/find-member";

/** Which of their workspaces a person acts in: readable by the page's own switcher, and no secret. */
const WORKSPACE_COOKIE = "signalbox.workspace";

/**
 * The person behind a request; null when nobody is signed in. The cookie only says who claims to be here: that they
 * still exist, were not signed out everywhere, and are still a member is read from the database on every request.
 * @param requestHeaders left out: those of the request whose page is being rendered
 */
export async function findSession(requestHeaders?: Headers): Promise<UserCaller | null> {
  const cookies = readCookies((requestHeaders ?? (await headers())).get("cookie"));
  const claims = await readToken(cookies.get(sessionCookieName()));
  if (!claims) return null;
  const preferred = cookies.get(WORKSPACE_COOKIE);
  const member = await findMember(
    claims.userId,
    claims.epoch,
    preferred && UUID_PATTERN.test(preferred) ? preferred : null,
  );
  if (!member) return null;
  const { workspaceId, plan, userId, name, role } = member;
  return { kind: "user", workspaceId, plan, userId, name, role };
}

/** @throws ApiError UNAUTHORIZED */
export async function requireSession(requestHeaders?: Headers): Promise<UserCaller> {
  const caller = await findSession(requestHeaders);
  if (!caller) throw new ApiError("UNAUTHORIZED", "Sign in to go on.");
  return caller;
}

async function readToken(token: string | undefined): Promise<{ userId: string; epoch: number } | null> {
  if (!token) return null;
  // A token that was tampered with, or sealed with another secret, throws: that is nobody, not an error.
  const claims = await decode({ token, secret: env().NEXTAUTH_SECRET }).catch(() => null);
  if (typeof claims?.sub !== "string" || !UUID_PATTERN.test(claims.sub) || typeof claims.epoch !== "number")
    return null;
  return { userId: claims.sub, epoch: claims.epoch };
}

function readCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at > 0) cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  }
  return cookies;
}
