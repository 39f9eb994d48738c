import { encode } from "next-auth/jwt";
import { env } from "#lib/config/env";
import { sessionCookieName } from "#lib/surfaces/auth-options";
import { addSession } from "#lib/workspaces/session.fixture";

/** For tests: signs somebody in. @returns the cookie of it */
export async function sessionCookie(userId: string, secret = env().NEXTAUTH_SECRET): Promise<string> {
  const { epoch, sessionId: sid } = await addSession(userId);
  return `${sessionCookieName()}=${await encode({ token: { sub: userId, epoch, sid }, secret })}`;
}
