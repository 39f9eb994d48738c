import { encode } from "next-auth/jwt";
import { sessionCookieName } from "#lib/api/auth/auth-options";
import { addSession } from "#lib/domain/accounts/session.fixture";
import { env } from "#lib/platform/config/env";

/**
 * For tests: signs a user in.
 * @returns the session's cookie
 */
export async function sessionCookie(userId: string, secret = env().NEXTAUTH_SECRET): Promise<string> {
  const { epoch, sessionId: sid } = await addSession(userId);
  return `${sessionCookieName()}=${await encode({ token: { sub: userId, epoch, sid }, secret })}`;
}
